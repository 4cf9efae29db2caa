/** Chosen instead of a class by who does not know it; no schema can have such an id. */
export const CANNOT_TELL = '?';
