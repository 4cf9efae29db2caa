import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

export type ByteSource = Buffer | Readable | AsyncIterable<Uint8Array>;

/** Received and hashed bytes that are not readable yet. */
export interface Staged {
  sha256: string;
  bytes: number;
  /** Publishes the bytes atomically. Existing content is not written again. */
  place(): Promise<void>;
  discard(): Promise<void>;
}

export interface StoredBlob {
  sha256: string;
  bytes: number;
  modifiedAt: Date;
}

/** A content-addressed store: names are SHA-256 hashes. */
export interface Storage {
  stage(source: ByteSource, limits?: { maxBytes?: number }): Promise<Staged>;
  get(sha256: string, range?: ByteRange): Promise<Readable>;
  /** Reads all bytes. Faster than a stream for content that fits into memory. */
  read(sha256: string, maxBytes: number): Promise<Buffer>;
  stat(sha256: string): Promise<StoredBlob | null>;
  /** Local path of the bytes, for bulk copies. Undefined for remote stores. */
  place?(sha256: string): string;
  delete(sha256: string): Promise<void>;
  list(): AsyncIterable<StoredBlob>;
  /** Deletes what interrupted writers left behind and returns how many files that were. */
  sweepStaged(olderThan: Date): Promise<number>;
}
