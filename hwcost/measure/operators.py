"""FLOPs, bytes moved and kernels of one operator, by its name in `aten`.

    convolution         2 * output * (weights of one output channel)      1 multiply-add = 2 FLOPs
    matrix product      2 * rows * inner * columns
    attention           4 * batch * heads * T * S * width                 scores and their product with the values
    norm, softmax       a few per element, listed apart: bandwidth bounds them, not arithmetic
    elementwise         1 per element of the result, likewise apart

The two kinds are kept apart because a card does the first on other units than the second, and because published FLOPs
of networks count the first alone. The backward pass is never counted: it is twice the forward pass, which a counter of
grouped convolutions gets wrong by a factor of up to seven.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

Shape = Sequence[int]

# Operators that only look at memory in another way, or reserve it: no kernel, nothing moved.
FREE = frozenset(
    (
        "detach", "alias", "view", "_unsafe_view", "_reshape_alias", "empty", "empty_like", "empty_strided",
        "new_empty",
        "new_empty_strided", "lift_fresh", "lift", "transpose_", "t_", "squeeze_", "unsqueeze_", "as_strided_",
         "sym_size", "sym_stride", "sym_numel", "is_same_size", "set_",
        "_local_scalar_dense", "record_stream", "resize_", "unsafe_split", "unsafe_chunk",
    )
)  # fmt: skip

# Arithmetic per element that is not one; the larger of input and result counts.
PER_ELEMENT = {
    "native_batch_norm": 5, "_native_batch_norm_legit": 5, "native_layer_norm": 5, "native_group_norm": 5,
    "_fused_rms_norm": 4, "native_batch_norm_backward": 8, "native_layer_norm_backward": 8,
    "native_group_norm_backward": 8, "_fused_rms_norm_backward": 8, "_softmax": 4, "_safe_softmax": 4,
    "_log_softmax": 4,
    "_softmax_backward_data": 3, "_log_softmax_backward_data": 3, "batch_norm_update_stats": 3,
    "_batch_norm_with_update": 5, "batch_norm_backward": 8, "gelu": 8, "gelu_backward": 12, "var": 3, "var_mean": 3,
    "std": 3, "std_mean": 3, "linalg_vector_norm": 2,
}  # fmt: skip

# Known to be one operation or none per element, although torch does not tag them as pointwise.
PLAIN = frozenset(
    (
        "clone", "copy_", "_to_copy", "fill_", "zero_", "zeros", "ones", "full", "zeros_like", "ones_like", "full_like",
        "new_zeros", "new_ones", "new_full", "arange", "linspace", "scalar_tensor", "eye", "rand", "randn", "randint",
        "rand_like", "randn_like", "randint_like", "bernoulli", "bernoulli_", "normal_", "uniform_", "randperm", "cat",
        "stack", "sum", "mean", "amax", "amin", "max", "min", "any", "all", "argmax", "argmin", "prod", "cumsum",
        "topk", "sort", "gather", "scatter", "scatter_", "scatter_add", "scatter_add_", "scatter_reduce", "index",
        "index_put", "index_put_", "_index_put_impl_", "index_add", "index_add_", "index_select", "embedding",
        "embedding_dense_backward", "nll_loss_forward", "nll_loss_backward", "nll_loss2d_forward",
        "nll_loss2d_backward", "mse_loss", "mse_loss_backward", "native_dropout", "native_dropout_backward",
        "max_pool2d_with_indices",
        "max_pool2d_with_indices_backward", "max_pool3d_with_indices", "max_pool3d_with_indices_backward", "avg_pool2d",
        "avg_pool2d_backward", "avg_pool3d", "avg_pool3d_backward", "_adaptive_avg_pool2d",
        "_adaptive_avg_pool2d_backward", "_adaptive_avg_pool3d", "_adaptive_avg_pool3d_backward", "adaptive_max_pool2d",
        "adaptive_max_pool2d_backward", "adaptive_max_pool3d", "adaptive_max_pool3d_backward", "upsample_nearest2d",
        "upsample_nearest2d_backward", "upsample_nearest3d", "upsample_nearest3d_backward", "upsample_bilinear2d",
        "upsample_bilinear2d_backward", "upsample_bicubic2d", "upsample_bicubic2d_backward", "upsample_trilinear3d",
        "upsample_trilinear3d_backward", "constant_pad_nd", "reflection_pad1d", "reflection_pad1d_backward",
        "reflection_pad2d", "reflection_pad2d_backward", "reflection_pad3d", "reflection_pad3d_backward",
        "replication_pad1d", "replication_pad1d_backward", "replication_pad2d", "replication_pad2d_backward",
        "replication_pad3d", "replication_pad3d_backward", "pixel_shuffle", "pixel_unshuffle", "roll", "flip", "tril",
        "triu", "repeat", "im2col", "col2im", "select_backward", "slice_backward", "slice_scatter", "select_scatter",
        "as_strided_scatter", "diagonal_backward", "unfold_backward", "masked_fill", "masked_fill_", "masked_select",
        "where", "glu", "glu_backward", "channel_shuffle", "native_channel_shuffle", "nonzero", "one_hot", "bincount",
        "_weight_norm_interface", "_weight_norm_interface_backward", "grid_sampler_2d", "grid_sampler_2d_backward",
        "_pdist_forward", "logsumexp", "split_with_sizes_copy", "smooth_l1_loss", "smooth_l1_loss_backward",
        "binary_cross_entropy", "binary_cross_entropy_backward", "_unsafe_index", "_unsafe_index_put",
        "_prelu_kernel_backward",
        "_prelu_kernel", "histc", "unique_dim", "_unique2", "trace", "diag_embed",
    )
)  # fmt: skip

# Fourier transforms, with the share of a complex one that they cost.
TRANSFORMS = {"_fft_c2c": 1.0, "_fft_r2c": 0.5, "_fft_c2r": 0.5}

# Kernels of one call where it is not one: for each tensor of a list, for each part of a backward.
LISTS_PER_KERNEL = 64  # tensors that one kernel of a list operator of the optimizer takes
ATTENTION_BACKWARD_KERNELS = 3


def base_name(func: Any) -> str:
    """`convolution` of `aten.convolution.default`."""
    return str(func._schema.name).split("::")[-1]


def convolution_kind(weight: Any, groups: int) -> str:
    """What a card's library does with a convolution depends on it: `plain` (all channels, a window), `pointwise` (all
    channels, one point), `depthwise` (each channel alone), `grouped` (in between).
    """
    if groups == 1:
        return "pointwise" if math.prod(weight.shape[2:]) == 1 else "plain"
    return "depthwise" if weight.shape[1] == 1 else "grouped"


def is_free(func: Any) -> bool:
    """True for a view of its argument, or memory that is only reserved."""
    if func.namespace == "prim" or base_name(func) in FREE:  # prim asks a tensor for its device or type
        return True
    returned = [item.alias_info for item in func._schema.returns]
    return bool(returned) and all(alias is not None and not alias.is_write for alias in returned)


def kernels(func: Any, args: tuple[Any, ...], result: Any) -> int:
    """Kernels that a card starts for this call in eager mode."""
    name = base_name(func)
    if name == "convolution" or name == "_convolution":
        return 2 if args[2] is not None else 1
    if name == "convolution_backward":
        return sum(bool(wanted) for wanted in args[10])
    if name.startswith("_foreach") or name.startswith("_fused_adam") or name.startswith("_fused_sgd"):
        first = args[0] if isinstance(args[0], (list, tuple)) else [args[0]]
        return math.ceil(len(first) / LISTS_PER_KERNEL)
    if "attention" in name and name.endswith("backward"):
        return ATTENTION_BACKWARD_KERNELS
    return 1


def product_flop(func: Any, args: tuple[Any, ...], result: Any) -> int | None:
    """FLOPs of convolutions, matrix products and attention; None for every other operator."""
    formula = PRODUCTS.get(base_name(func))
    return None if formula is None else formula(args, result)


def plain_flop(func: Any, args: tuple[Any, ...], result: Any) -> int | None:
    """FLOPs of an operator that works element by element; None where nobody knows what it does."""
    name = base_name(func)
    if name in TRANSFORMS:
        return _transform(args, result, TRANSFORMS[name])
    known = torch.Tag.pointwise in func.tags or name in PLAIN or name in PER_ELEMENT or name.startswith("_foreach")
    if not known:
        return None
    elements = max((tensor.numel() for tensor in [*tensors_in(args), *tensors_in(result)]), default=0)
    return PER_ELEMENT.get(name, 1) * elements


def tensors_in(value: Any) -> list[torch.Tensor]:
    """Every tensor in nested lists, tuples and dicts."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors_in(item)]
    return []


def moved_bytes(args: Any, result: Any) -> int:
    """Bytes read and written once each; a broadcast tensor counts the memory that it really has."""
    return sum(
        min(tensor.numel() * tensor.element_size(), tensor.untyped_storage().nbytes())
        for tensor in [*tensors_in(args), *tensors_in(result)]
    )


# --- formulas ---


def _transform(args: tuple[Any, ...], result: Any, share: float) -> int:
    """5 N log2 n of a transform over n places."""
    longer = args[0] if args[0].numel() >= result.numel() else result
    places = math.prod(longer.shape[axis] for axis in args[1])
    return int(5.0 * share * longer.numel() * math.log2(max(places, 2)))


def _shape(value: Any) -> Shape:
    shape: Shape = value.shape
    return shape


def _mm(args: tuple[Any, ...], result: Any) -> int:
    return 2 * math.prod(_shape(args[0])) * _shape(args[1])[-1]


def _addmm(args: tuple[Any, ...], result: Any) -> int:
    return _mm(args[1:], result)


def _mv(args: tuple[Any, ...], result: Any) -> int:
    return 2 * math.prod(_shape(args[0]))


def _convolution(args: tuple[Any, ...], result: Any) -> int:
    image, weight, transposed = args[0], args[1], args[6]
    positions = math.prod(_shape(image)) if transposed else math.prod(_shape(result))
    return 2 * positions * math.prod(_shape(weight)[1:])  # weights of one output (transposed: input) channel


def _attention(args: tuple[Any, ...], result: Any) -> int:
    query, key, value = (_shape(args[i]) for i in range(3))
    return 2 * math.prod(query[:-1]) * key[-2] * (query[-1] + value[-1])


def _efficient_attention(args: tuple[Any, ...], result: Any) -> int:
    batch, length, heads, width = _shape(args[0])  # laid out as batch, token, head
    return 2 * batch * heads * length * _shape(args[1])[1] * (width + _shape(args[2])[-1])


PRODUCTS: dict[str, Callable[[tuple[Any, ...], Any], int]] = {
    "mm": _mm, "bmm": _mm, "addmm": _addmm, "baddbmm": _addmm, "_addmm_activation": _addmm, "mv": _mv, "dot": _mv,
    "addmv": lambda args, result: _mv(args[1:], result), "convolution": _convolution, "_convolution": _convolution,
    "_scaled_dot_product_flash_attention": _attention, "_scaled_dot_product_flash_attention_for_cpu": _attention,
    "_scaled_dot_product_efficient_attention": _attention, "_scaled_dot_product_cudnn_attention": _attention,
    "_scaled_dot_product_fused_attention_overrideable": _attention,
    "_efficient_attention_forward": _efficient_attention, "_flash_attention_forward": _efficient_attention,
}  # fmt: skip
# backward passes are never counted, but they are no strangers either
KNOWN_BACKWARD = frozenset(
    ("convolution_backward", "_scaled_dot_product_flash_attention_for_cpu_backward",
     "_scaled_dot_product_flash_attention_backward", "_scaled_dot_product_efficient_attention_backward")
)  # fmt: skip
