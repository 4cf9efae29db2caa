export interface ChildRequest {
  id: number;
  call: string;
  given: unknown;
}

/** `isTheirs`: what went wrong is told to the person as it is. */
export type ChildReply = { id: number; answer: unknown } | { id: number; failed: string; isTheirs: boolean };

/** Where the child finds what it was lent. */
export const LENT_FILE = 4;
