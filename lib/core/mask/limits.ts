/** Longest side of a mask, in pixels. */
export const MAX_SIDE = 65_535;

/** Largest height × width. A byte per pixel of this is 256 MiB, and every position stays a small integer. */
export const MAX_PIXELS = 2 ** 28;

/**
 * Largest absolute polygon coordinate, in pixels. COCO's rule works on coordinates times five in 32-bit
 * integers; below this bound neither a coordinate nor a difference of two can overflow them.
 */
export const MAX_COORDINATE = 100_000_000;
