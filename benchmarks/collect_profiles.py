"""Profiles public `timm` models with `hwcost.measure` and writes benchmarks/evidence/memory_live.csv.

    pip install --no-deps timm==1.0.31 torchvision==0.28.0 pyyaml safetensors
    python benchmarks/collect_profiles.py [--models 120] [--seconds 900]

Each model is profiled at batch 8 and 16 with momentum, on tensors without values; models are taken in the order of a
hash of their name, so that a short run is a fair sample. A row that is there already is kept.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import sys
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# the processor's build of torch knows none of torchvision's operators, which timm never calls
for name in ("nms", "qnms"):
    torch.library.define(f"torchvision::{name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

import timm  # noqa: E402

for name in ("trunc_normal_", "kaiming_normal_", "kaiming_uniform_", "xavier_uniform_", "normal_", "uniform_"):
    setattr(torch.nn.init, name, lambda tensor, *args, **kwargs: tensor)  # values play no role, and filling takes time
timm.layers.weight_init._trunc_normal_ = lambda tensor, *args, **kwargs: tensor

from hwcost.measure.loading import InputSpec  # noqa: E402
from hwcost.measure.profiling import _profiled  # noqa: E402

EVIDENCE = Path(__file__).resolve().parent / "evidence"
TARGET = EVIDENCE / "memory_live.csv"
BATCHES = (8, 16)
KINDS = ("plain", "grouped", "pointwise", "depthwise")
# peak of live tensors; input and result of the largest convolution of each kind
COLUMNS = ("model", "input_side", "params", *(f"{name}_{batch}" for name in ("live", *KINDS) for batch in BATCHES))
OPTIMIZER = "momentum"


def order(model: str) -> str:
    """The place of a model in the sample."""
    return hashlib.sha256(model.encode()).hexdigest()


def main() -> None:
    """Profiles until the number of models or the time is reached; the table is written after every model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=1e9)
    args = parser.parse_args()
    with (EVIDENCE / "memory_profiles.csv").open(encoding="utf-8", newline="") as file:
        known = {row["model"]: int(row["input_side"]) for row in csv.DictReader(file)}
    rows: dict[str, dict[str, object]] = {}
    if TARGET.exists():
        with TARGET.open(encoding="utf-8", newline="") as file:
            rows = {row["model"]: dict(row) for row in csv.DictReader(file)}
    started = time.monotonic()
    for model in sorted(known, key=order):
        if len(rows) >= args.models or time.monotonic() - started > args.seconds:
            break
        if model in rows or not timm.is_model(model):
            continue
        side = known[model]
        row: dict[str, object] = {"model": model, "input_side": side}
        try:
            for batch in BATCHES:
                with torch.device("meta"):  # three times as fast as tensors that know a device, with the same result
                    network = timm.create_model(model).train()
                    found = _profiled(network, [InputSpec((3, side, side))], batch, OPTIMIZER, False, "fp32")
                row["params"] = found.params
                row[f"live_{batch}"] = found.peak_live_bytes
                row.update({f"{kind}_{batch}": found.convolution_bytes.get(kind, 0) for kind in KINDS})
        except (RuntimeError, NotImplementedError) as error:  # a model that needs values, or an operator unknown here
            print(model, str(error).splitlines()[0], file=sys.stderr)
            continue
        rows[model] = row
        print(model, round(time.monotonic() - started), flush=True)
        with TARGET.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows[name] for name in sorted(rows))


if __name__ == "__main__":
    main()
