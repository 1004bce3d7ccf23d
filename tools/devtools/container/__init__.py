"""The container image, built and tried: with a container engine, or in a clean root without one."""
