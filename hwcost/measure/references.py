"""Which row of the bundled workloads.csv each reference network is. Needs no torch."""

CATALOG_IDS = {
    "hybridsn": "hybridsn-ip",
    "ssrn": "ssrn-ip",
    "cnn3d": "hamida-ip",
    "spectralformer": "spectralformer-pixel-ip",
    "ssftt": "ssftt-ip",
    "unet": "unet-256x256x200-b64",
}
