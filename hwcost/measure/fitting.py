"""Constants of a machine from its measurement, each with a 95 % interval. Needs no torch.

    T_c(b) = c0 + s b,  s = c1 P            a line over micro-batches, weighted by 1/T^2                 (A 3.3)
    T_ar   = alpha + V/BW                   a line over message sizes, V = 2 (N-1)/N * bytes, likewise   (A 3.2)
    cv     (Q3 - Q1) / 1.349 / median       of the steps of one process
    d, f   from steps with gradients travelling less steps without: see `several`

A case differs from the next by more than the spread of its own steps says: clocks, other users, another moment. That
scatter is read off the scans over batches and enters the errors of d and f. What cannot be fitted is named with its
reason (`Unfitted`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from hwcost.measure.line import LEAST_POINTS, NORMAL_95, Interval, fit_line, inverse, scatter, student
from hwcost.measure.record import Record
from hwcost.measure.several import Added, fit_added
from hwcost.scaling import BACKWARD_SHARE, OVERHEAD_MS_PER_TENSOR, bucket_count, expected_maximum, volume_bytes

GRADIENT_BYTES = 4.0
USUAL_OVERHEAD_SHARE = 0.5  # how far the usual cost of a parameter tensor may be off where it was not measured
QUARTILE_EFFICIENCY = 0.37  # of the quartile distance as a measure of a normal's spread
MEDIAN_ERROR = 1.2533  # standard error of a median in units of that of a mean
MANY_DEGREES = 1000  # a normal


@dataclass(frozen=True)
class Unfitted:
    """What has no constants and why: `reason` is few, falling or never_ran; `points` different batches or sizes.

    `name` is a network, or the number of processes of an all-reduce. The times are those of the smallest and largest.
    """

    kind: str  # network | all_reduce
    name: str
    reason: str
    points: int
    first: float = 0.0
    last: float = 0.0
    first_ms: float = 0.0
    last_ms: float = 0.0


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
    def flat(self) -> bool:
        """True where the measured batches all take the same time within their errors."""
        return self.ms_per_sample.value <= 0.0

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
    unfitted: tuple[Unfitted, ...] = ()


# --- networks and links ---


def _scan(record: Record, model: str) -> list[Record]:
    """The cases of one network over its batches, each in one pass, that ran."""
    return [
        case for case in record["results"]["baseline"]
        if case.get("model") == model and case.get("kind") == "steps" and case.get("median_ms") is not None
        and case["accumulation_steps"] == 1
    ]  # fmt: skip


def fit_network(record: Record, model: str) -> NetworkFit | Unfitted | None:
    """c0, c1 and the variation of one network, or why there are none; None where no batch of it was wanted."""
    whole = _scan(record, model)
    if not whole:
        asked = any(case.get("model") == model for case in record["results"]["baseline"])
        return Unfitted("network", model, "never_ran", 0) if asked else None
    points = sorted((float(case["batch"]), float(case["median_ms"])) for case in whole)
    line = fit_line(points)
    if line is None or line.falling:
        return _unfitted("network", model, points)
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


def _unfitted(kind: str, name: str, points: list[tuple[float, float]]) -> Unfitted:
    count = len({x for x, _ in points})
    reason = "few" if count < LEAST_POINTS else "falling"
    return Unfitted(kind, name, reason, count, points[0][0], points[-1][0], points[0][1], points[-1][1])


def variation(case: Record) -> Interval | None:
    """The coefficient of variation of a step, at most 1, with the error that its number of steps leaves.

    That error is a share (the logarithm is about normal); two steps are what median and quartiles use up.
    """
    cv, count = case.get("cv"), case.get("count", 0)
    if cv is None or count < LEAST_POINTS:
        return None
    reach = math.exp(NORMAL_95 / math.sqrt(2.0 * (count - 2) * QUARTILE_EFFICIENCY))
    return Interval(min(cv, 1.0), min(cv / reach, 1.0), min(cv * reach, 1.0))


def fit_all_reduce(record: Record, processes: int) -> AllReduceFit | Unfitted:
    """Latency and bus bandwidth over `processes`, or why there are none."""
    cases = [case for case in record["results"]["all_reduce"] if case["processes"] == processes]
    points = sorted((float(case["bytes"]), float(case["median_ms"])) for case in cases)
    line = fit_line([(volume_bytes(size, 1.0, processes), ms) for size, ms in points])
    if line is None or line.slope.value <= 0.0:
        return _unfitted("all_reduce", str(processes), points)
    return AllReduceFit(
        processes, line.intercept.scaled(1e3), inverse(line.slope).scaled(1e-6), line.points, line.worst
    )


# --- what several cards add ---


def _median_error(case: Record, between: float) -> float:
    """One deviation of a median: what its own steps leave open, and what one case differs from the next."""
    spread = (case["quartile3_ms"] - case["quartile1_ms"]) / 1.349
    return math.hypot(MEDIAN_ERROR * spread / math.sqrt(case["count"]), between * case["median_ms"])


def _pairs(record: Record) -> list[tuple[Record, Record]]:
    """Cases of the same network, batch and processes with gradients travelling and without."""
    cases = {case["key"]: case for case in record["results"]["ratio"] if case.get("median_ms") is not None}
    return [
        (case, cases[key.replace("/sync", "/apart")])
        for key, case in cases.items()
        if case["sync"] and key.replace("/sync", "/apart") in cases
    ]


def _in_full_error(fit: AllReduceFit, gradient_bytes: float) -> float:
    """One deviation of the time of all buckets."""
    buckets = bucket_count(gradient_bytes, 1.0)
    high, low = fit.alpha_us.high or fit.alpha_us.value, fit.alpha_us.low
    slow = volume_bytes(gradient_bytes, 1.0, fit.processes) / 1e6
    fastest = fit.bus_gb_s.high or 2.0 * fit.bus_gb_s.value
    half = math.hypot(buckets * (high - low) / 2e3, (slow / max(fit.bus_gb_s.low, 1e-9) - slow / fastest) / 2.0)
    return half / student(max(1, fit.points - 2))


def fit_overheads(
    record: Record, all_reduces: dict[int, AllReduceFit], networks: dict[str, NetworkFit]
) -> tuple[Interval | None, Interval | None]:
    """(ms per parameter tensor, overlap as a share of backward); None where no network of its kind was measured."""
    between, degrees = scatter(
        [(float(case["batch"]), float(case["median_ms"])) for case in _scan(record, model)] for model in networks
    )
    seen = []
    for together, apart in _pairs(record):
        fit, network = all_reduces.get(together["processes"]), networks.get(together["model"])
        figures = record["models"][together["model"]]
        if fit is None:
            continue
        in_full = fit.in_full_ms(figures["gradient_bytes"])
        error = math.hypot(
            _median_error(together, between), _median_error(apart, between),
            _in_full_error(fit, figures["gradient_bytes"]), _waiting_error(network, fit.processes, apart["median_ms"]),
        )  # fmt: skip
        seen.append(Added(
            added_ms=together["median_ms"] - apart["median_ms"]
            - waiting_ms(network, fit.processes, apart["median_ms"]),
            error_ms=error, tensors=figures["parameter_tensors"], in_full_ms=in_full,
            last_ms=in_full / bucket_count(figures["gradient_bytes"], 1.0),
            backward_ms=BACKWARD_SHARE * apart["median_ms"],
        ))  # fmt: skip
    return fit_added(
        seen, OVERHEAD_MS_PER_TENSOR, OVERHEAD_MS_PER_TENSOR * USUAL_OVERHEAD_SHARE / NORMAL_95,
        student(degrees or MANY_DEGREES),
    )  # fmt: skip


def _waiting_error(network: NetworkFit | None, processes: int, compute_ms: float) -> float:
    """One deviation of `waiting_ms`, from that of the variation."""
    if network is None or network.step_cv is None or network.step_cv.high is None:
        return 0.0
    half = (network.step_cv.high - network.step_cv.low) / 2.0
    return compute_ms * expected_maximum(processes) * half / NORMAL_95


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
    tried = [fit_network(record, name) for name in record["models"]]
    networks = {fit.model: fit for fit in tried if isinstance(fit, NetworkFit)}
    counts = sorted({case["processes"] for case in record["results"]["all_reduce"]})
    exchanged = [fit_all_reduce(record, count) for count in counts]
    all_reduces = {fit.processes: fit for fit in exchanged if isinstance(fit, AllReduceFit)}
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
        tuple(fit for fit in (*tried, *exchanged) if isinstance(fit, Unfitted)),
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
