"""The commands of `hwcost`, one module each with `run(args, session) -> exit status`; imported when they are called."""
