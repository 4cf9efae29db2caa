/** Where the files of an export go: a folder, a zip, a tar. Files are kept whole. */
export interface Sink {
  /** Files that an export that was stopped has written already, with what they hold; in order. */
  readonly kept: ReadonlyMap<string, WrittenFile>;
  /** Whether files may be written while another one is: not into an archive, where one follows the other. */
  readonly takesSeveral: boolean;
  folder(path: string): Promise<void>;
  /** All at once. The hash may be known. */
  file(path: string, bytes: Uint8Array, sha256?: string): Promise<WrittenFile>;
  /** A file of this machine, copied by the system; only where files stay files. */
  copy?(path: string, from: string, sha256: string): Promise<WrittenFile>;
  /** Piece by piece. */
  stream(path: string, chunks: AsyncIterable<Uint8Array | string>): Promise<WrittenFile>;
  /** Makes the export appear under its name, all at once. Gives its size in bytes. */
  finish(): Promise<{ bytes: number }>;
  /** Leaves what was written for the next attempt. */
  pause(): Promise<void>;
}

export interface WrittenFile {
  sha256: string;
  bytes: number;
}
