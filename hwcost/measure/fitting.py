"""Constants of a machine from its measurement, each with a 95 % interval. Needs no torch.

    T_c(b) = c0 + s b,  s = c1 P            a line over micro-batches, weighted by 1/T^2                 (A 3.3)
    T_ar   = alpha + V/BW                   a line over message sizes, V = 2 (N-1)/N * bytes, likewise   (A 3.2)
    cv     (Q3 - Q1) / 1.349 / median       of the steps of one process
    d, f   from steps with gradients travelling less steps without: d * tensors + exposed communication

Steps vary by a share of their length, so that relative errors are squared: each point counts alike. Where all gradients
fit one bucket nothing can hide them: such a network tells d, the cost of each parameter tensor, and not f, the overlap;
one of several buckets tells f.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from hwcost.measure.record import Record
from hwcost.scaling import BACKWARD_SHARE, OVERHEAD_MS_PER_TENSOR, bucket_count, expected_maximum, volume_bytes

GRADIENT_BYTES = 4.0
LEAST_POINTS = 3
NORMAL_95 = 1.959964
# 97.5 % point of Student's t for 1, 2, 3 ... degrees of freedom
STUDENT = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
QUARTILE_EFFICIENCY = 0.37  # of the quartile distance as a measure of a normal's spread
MEDIAN_ERROR = 1.2533  # standard error of a median in units of that of a mean


@dataclass(frozen=True)
class Interval:
    """A value and its 95 % interval; `high` is None where the data set no upper limit."""

    value: float
    low: float
    high: float | None

    def scaled(self, factor: float) -> Interval:
        return Interval(self.value * factor, self.low * factor, None if self.high is None else self.high * factor)


@dataclass(frozen=True)
class LineFit:
    """y = intercept + slope x, neither below zero; `worst` is the largest |ln(fitted/measured)|."""

    intercept: Interval
    slope: Interval
    points: int
    worst: float


@dataclass(frozen=True)
class NetworkFit:
    """One network on this machine. Times in ms; None where the measurement does not tell."""

    model: str
    params: int
    parameter_tensors: int
    c0_ms: Interval
    ms_per_sample: Interval
    step_cv: Interval | None
    batch_from: int
    batch_to: int
    worst: float
    loader_ms_per_sample: float | None

    @property
    def c1_ms(self) -> Interval:
        """ms per parameter and sample."""
        return self.ms_per_sample.scaled(1.0 / self.params)

    def compute_ms(self, batch: float) -> float:
        return self.c0_ms.value + self.ms_per_sample.value * batch


@dataclass(frozen=True)
class AllReduceFit:
    """All-reduce over `processes`: fixed time and bus bandwidth."""

    processes: int
    alpha_us: Interval
    bus_gb_s: Interval
    points: int
    worst: float

    def in_full_ms(self, gradient_bytes: float) -> float:
        """Time of all buckets one after the other."""
        buckets = bucket_count(gradient_bytes, 1.0)
        return buckets * self.alpha_us.value / 1e3 + volume_bytes(gradient_bytes, 1.0, self.processes) / (
            self.bus_gb_s.value * 1e6
        )


@dataclass(frozen=True)
class Check:
    """One prediction from the fitted constants beside its measurement; `fitted` where the fit has seen the row."""

    kind: str  # baseline | all_reduce | ratio | scan
    model: str
    processes: int
    batch: float  # per card; of an all-reduce the bytes
    predicted_ms: float
    measured_ms: float
    fitted: bool

    @property
    def error(self) -> float:
        return abs(math.log(self.predicted_ms / self.measured_ms))


@dataclass(frozen=True)
class Calibration:
    """All constants, and predictions beside measurements. `contention` is by (model, processes): steps of several
    processes without communication over steps of one; what is above 1 the host costs, not the link."""

    networks: tuple[NetworkFit, ...]
    all_reduces: tuple[AllReduceFit, ...]
    overhead_ms_per_tensor: Interval | None
    overlap: Interval | None
    contention: dict[tuple[str, int], float]
    checks: tuple[Check, ...]


# --- the line ---


def student(degrees: int) -> float:
    """The 97.5 % point of Student's t."""
    if degrees <= len(STUDENT):
        return STUDENT[degrees - 1]
    return NORMAL_95 + (NORMAL_95**3 + NORMAL_95) / (4.0 * degrees)  # Cornish-Fisher


def fit_line(points: Sequence[tuple[float, float]]) -> LineFit | None:
    """Weighted least squares of (x, y), relative errors; None with fewer than three different x.

    A line that would start or fall below zero is held at zero there.
    """
    if len({x for x, _ in points}) < LEAST_POINTS or any(y <= 0.0 for _, y in points):
        return None
    weights = [1.0 / (y * y) for _, y in points]
    w, wx, wxx = (math.fsum(k * x**p for k, (x, _) in zip(weights, points, strict=True)) for p in (0, 1, 2))
    wy, wxy = (math.fsum(k * x**p * y for k, (x, y) in zip(weights, points, strict=True)) for p in (0, 1))
    determinant = w * wxx - wx * wx
    intercept, slope = (wxx * wy - wx * wxy) / determinant, (w * wxy - wx * wy) / determinant
    spread = math.fsum(((y - intercept - slope * x) / y) ** 2 for x, y in points) / (len(points) - 2)
    reach = student(len(points) - 2) * math.sqrt(spread / determinant)
    first = Interval(max(intercept, 0.0), max(intercept - reach * math.sqrt(wxx), 0.0),
                     max(intercept + reach * math.sqrt(wxx), 0.0))  # fmt: skip
    second = Interval(max(slope, 0.0), max(slope - reach * math.sqrt(w), 0.0), max(slope + reach * math.sqrt(w), 0.0))
    if intercept < 0.0:
        second = Interval(wxy / wxx, second.low, max(second.high or 0.0, wxy / wxx))
    elif slope < 0.0:
        first = Interval(wy / w, min(first.low, wy / w), max(first.high or 0.0, wy / w))
    worst = max(abs(math.log((first.value + second.value * x) / y)) for x, y in points)
    return LineFit(first, second, len(points), worst)


def inverse(interval: Interval) -> Interval:
    """1 / x of a positive interval; without upper limit where x may be zero."""
    return Interval(
        1.0 / interval.value,
        0.0 if interval.high is None else 1.0 / interval.high,
        1.0 / interval.low if interval.low > 0.0 else None,
    )


# --- networks and links ---


def fit_network(record: Record, model: str) -> NetworkFit | None:
    """c0, c1 and the variation of one network; None where fewer than three batches were measured."""
    cases = [
        case for case in record["results"]["baseline"]
        if case.get("model") == model and case.get("kind") == "steps" and case.get("median_ms") is not None
    ]  # fmt: skip
    whole = [case for case in cases if case["accumulation_steps"] == 1]
    line = fit_line([(case["batch"], case["median_ms"]) for case in whole])
    if line is None or line.slope.value <= 0.0:
        return None
    loaders = [
        case["median_ms"] / case["batch"] for case in record["results"]["baseline"]
        if case.get("model") == model and case.get("kind") == "loader"
    ]  # fmt: skip
    figures = record["models"][model]
    return NetworkFit(
        model=model, params=figures["params"], parameter_tensors=figures["parameter_tensors"], c0_ms=line.intercept,
        ms_per_sample=line.slope, step_cv=variation(max(whole, key=lambda case: int(case["count"]))),
        batch_from=min(case["batch"] for case in whole), batch_to=max(case["batch"] for case in whole),
        worst=line.worst, loader_ms_per_sample=loaders[0] if loaders else None,
    )  # fmt: skip


def variation(case: Record) -> Interval | None:
    """The coefficient of variation of a step, with the error that its number of steps leaves."""
    cv, count = case.get("cv"), case.get("count", 0)
    if cv is None or count < LEAST_POINTS:
        return None
    share = NORMAL_95 / math.sqrt(2.0 * count * QUARTILE_EFFICIENCY)
    return Interval(cv, cv * max(0.0, 1.0 - share), cv * (1.0 + share))


def fit_all_reduce(record: Record, processes: int) -> AllReduceFit | None:
    """Latency and bus bandwidth over `processes`; None with fewer than three sizes."""
    cases = [case for case in record["results"]["all_reduce"] if case["processes"] == processes]
    line = fit_line([(volume_bytes(case["bytes"], 1.0, processes), case["median_ms"]) for case in cases])
    if line is None or line.slope.value <= 0.0:
        return None
    return AllReduceFit(
        processes, line.intercept.scaled(1e3), inverse(line.slope).scaled(1e-6), line.points, line.worst
    )


# --- what several cards add ---


def _median_error(case: Record) -> float:
    """95 % half width of a median."""
    spread = (case["quartile3_ms"] - case["quartile1_ms"]) / 1.349
    return float(NORMAL_95 * MEDIAN_ERROR * spread / math.sqrt(case["count"]))


def _pairs(record: Record) -> list[tuple[Record, Record]]:
    """Cases of the same network, batch and processes with gradients travelling and without."""
    cases = {case["key"]: case for case in record["results"]["ratio"] if case.get("median_ms") is not None}
    return [
        (case, cases[key.replace("/sync", "/apart")])
        for key, case in cases.items()
        if case["sync"] and key.replace("/sync", "/apart") in cases
    ]


def _joined(found: Sequence[tuple[float, float]], lowest: float, highest: float | None) -> Interval | None:
    """The mean of (value, half width), weighted by precision, widened where the values disagree; held in its range."""
    if not found:
        return None
    weights = [1.0 / max(half, 1e-12) ** 2 for _, half in found]
    total = math.fsum(weights)
    mean = math.fsum(w * value for w, (value, _) in zip(weights, found, strict=True)) / total
    half = 1.0 / math.sqrt(total)
    if len(found) > 1:
        apart = math.fsum(w * (value - mean) ** 2 for w, (value, _) in zip(weights, found, strict=True))
        half *= max(1.0, math.sqrt(NORMAL_95**2 * apart / (len(found) - 1)))

    def held(value: float) -> float:
        return min(max(value, lowest), math.inf if highest is None else highest)

    return Interval(held(mean), held(mean - half), held(mean + half))


def _in_full_error(fit: AllReduceFit, gradient_bytes: float) -> float:
    """95 % half width of the time of all buckets."""
    buckets = bucket_count(gradient_bytes, 1.0)
    high, low = fit.alpha_us.high or fit.alpha_us.value, fit.alpha_us.low
    slow = volume_bytes(gradient_bytes, 1.0, fit.processes) / 1e6
    fastest = fit.bus_gb_s.high or 2.0 * fit.bus_gb_s.value
    return math.hypot(buckets * (high - low) / 2e3, (slow / max(fit.bus_gb_s.low, 1e-9) - slow / fastest) / 2.0)


def fit_overheads(
    record: Record, all_reduces: dict[int, AllReduceFit], networks: dict[str, NetworkFit]
) -> tuple[Interval | None, Interval | None]:
    """(ms per parameter tensor, overlap as a share of backward); None where no network of its kind was measured."""
    per_tensor: list[tuple[float, float]] = []
    shares: list[tuple[float, float]] = []
    many = []
    for together, apart in _pairs(record):
        fit = all_reduces.get(together["processes"])
        figures = record["models"][together["model"]]
        if fit is None:
            continue
        waiting = waiting_ms(networks.get(together["model"]), fit.processes, apart["median_ms"])
        added = together["median_ms"] - apart["median_ms"] - waiting
        error = math.hypot(
            _median_error(together), _median_error(apart), _in_full_error(fit, figures["gradient_bytes"])
        )
        if bucket_count(figures["gradient_bytes"], 1.0) == 1:
            tensors = figures["parameter_tensors"]
            per_tensor.append(((added - fit.in_full_ms(figures["gradient_bytes"])) / tensors, error / tensors))
        else:
            many.append((added, error, fit, figures, apart["median_ms"]))
    overhead = _joined(per_tensor, 0.0, None)
    d = OVERHEAD_MS_PER_TENSOR if overhead is None else overhead.value
    hidden_whole: list[tuple[float, float]] = []
    for added, error, fit, figures, compute in many:
        in_full, backward = fit.in_full_ms(figures["gradient_bytes"]), BACKWARD_SHARE * compute
        exposed = added - d * figures["parameter_tensors"]
        last = in_full / bucket_count(figures["gradient_bytes"], 1.0)
        # where only the last bucket shows, all that can hide is hidden: the overlap is this or more
        kind = shares if exposed > last + error else hidden_whole
        kind.append(((in_full - exposed) / backward, error / backward))
    if not shares and hidden_whole:
        least = max(hidden_whole)
        return overhead, Interval(min(max(least[0], 0.0), 1.0), min(max(least[0] - least[1], 0.0), 1.0), 1.0)
    return overhead, _joined(shares, 0.0, 1.0)


def waiting_ms(network: NetworkFit | None, processes: int, compute_ms: float) -> float:
    """What the slowest of several processes takes longer than the usual one, by the variation of a step."""
    if network is None or network.step_cv is None:
        return 0.0
    return compute_ms * network.step_cv.value * expected_maximum(processes)


def step_ms(
    network: NetworkFit, processes: int, batch: float, passes: int, fit: AllReduceFit | None, gradient_bytes: float,
    overhead_ms_per_tensor: float, overlap: float, contention: float = 1.0,
) -> float:  # fmt: skip
    """One optimizer step by the fitted constants: `batch` samples a card in `passes` passes."""
    compute = passes * network.c0_ms.value + network.ms_per_sample.value * batch
    if processes == 1 or fit is None:
        return compute
    compute *= contention
    in_full = fit.in_full_ms(gradient_bytes)
    exposed = max(in_full - overlap * BACKWARD_SHARE * compute / passes, in_full / bucket_count(gradient_bytes, 1.0))
    waiting = waiting_ms(network, processes, compute) / math.sqrt(passes)
    return compute + waiting + overhead_ms_per_tensor * network.parameter_tensors + exposed


def calibrate(record: Record) -> Calibration:
    """All constants that the measurement tells, with the predictions that follow from them."""
    networks = {name: found for name in record["models"] if (found := fit_network(record, name)) is not None}
    counts = sorted({case["processes"] for case in record["results"]["all_reduce"]})
    all_reduces = {count: fit for count in counts if (fit := fit_all_reduce(record, count)) is not None}
    overhead, overlap = fit_overheads(record, all_reduces, networks)
    contention = {}
    for _, apart in _pairs(record):
        if apart["model"] in networks:
            alone = networks[apart["model"]].compute_ms(apart["batch"])
            contention[apart["model"], apart["processes"]] = apart["median_ms"] / alone
    constants = (
        OVERHEAD_MS_PER_TENSOR if overhead is None else overhead.value,
        0.0 if overlap is None else overlap.value,
    )
    return Calibration(
        tuple(networks.values()), tuple(all_reduces.values()), overhead, overlap, contention,
        tuple(_checks(record, networks, all_reduces, constants, contention)),
    )  # fmt: skip


def _checks(
    record: Record, networks: dict[str, NetworkFit], all_reduces: dict[int, AllReduceFit],
    constants: tuple[float, float], contention: dict[tuple[str, int], float],
) -> list[Check]:  # fmt: skip
    found: list[Check] = []
    for kind in ("baseline", "ratio", "scan"):
        for case in record["results"][kind]:
            network = networks.get(case.get("model", ""))
            usable = case.get("kind") == "steps" and case.get("sync", True) and case.get("median_ms") is not None
            if network is None or not usable:
                continue
            processes = case["processes"]
            if processes > 1 and processes not in all_reduces:
                continue
            predicted = step_ms(
                network, processes, case["batch"], case["accumulation_steps"], all_reduces.get(processes),
                record["models"][network.model]["gradient_bytes"], *constants,
                contention.get((network.model, processes), 1.0),
            )  # fmt: skip
            found.append(Check(kind, network.model, processes, case["batch"], predicted, case["median_ms"],
                               kind != "scan"))  # fmt: skip
    for case in record["results"]["all_reduce"]:
        link = all_reduces.get(case["processes"])
        if link is not None:
            volume = volume_bytes(case["bytes"], 1.0, link.processes)
            predicted = link.alpha_us.value / 1e3 + volume / (link.bus_gb_s.value * 1e6)
            found.append(Check("all_reduce", "", link.processes, case["bytes"], predicted, case["median_ms"], True))
    return found
