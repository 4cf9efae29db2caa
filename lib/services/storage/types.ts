import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

export type ByteSource = Buffer | Readable | AsyncIterable<Uint8Array>;

/** Bytes that have arrived and are known by their hash, but that nobody can read yet. */
export interface Staged {
  sha256: string;
  bytes: number;
  /** Makes the bytes readable, all at once. Content that is already there is kept, not written again. */
  place(): Promise<void>;
  discard(): Promise<void>;
}

export interface StoredBlob {
  sha256: string;
  bytes: number;
  modifiedAt: Date;
}

/** Where bytes lie, named by the SHA-256 of their content. */
export interface Storage {
  stage(source: ByteSource, limits?: { maxBytes?: number }): Promise<Staged>;
  get(sha256: string, range?: ByteRange): Promise<Readable>;
  /** All bytes at once, for what is known to fit into memory: quicker than a stream for thousands of pictures. */
  read(sha256: string, maxBytes: number): Promise<Buffer>;
  stat(sha256: string): Promise<StoredBlob | null>;
  /** Where the bytes lie as a file of this machine, for who copies thousands; not there for a store elsewhere. */
  place?(sha256: string): string;
  delete(sha256: string): Promise<void>;
  list(): AsyncIterable<StoredBlob>;
  /** Deletes what interrupted writers left behind and returns how many files that were. */
  sweepStaged(olderThan: Date): Promise<number>;
}
