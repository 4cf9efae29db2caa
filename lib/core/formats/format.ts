import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage } from './dataset';

/** A file, or a folder when the path ends in a slash. Made only when it is needed: a resumed export skips what is there. */
export interface FormatFile {
  /** With forward slashes, relative to the export. */
  path: string;
  /** Small files and pictures: all bytes at once. */
  bytes?(): Uint8Array | Promise<Uint8Array>;
  /** Files that grow with the dataset: piece by piece, so that memory does not. */
  chunks?(): AsyncIterable<Uint8Array | string>;
  /** Of the content, where it is known beforehand: a stored picture that is copied as it is. */
  sha256?: string;
}

/** Access to pixels, from outside: writers themselves are pure. */
export interface Pictures {
  /** The stored bytes as they are. Refuses a window on a picture. */
  readStored(image: DatasetImage): Promise<Uint8Array>;
  /** Coded anew, the same bytes each time. `size` scales to exactly that size. */
  encode(
    image: DatasetImage,
    as: { format: 'png' | 'jpeg'; quality?: number; size?: { width: number; height: number } },
  ): Promise<Uint8Array>;
}

export type OptionValue = string | number | boolean;

/** An option as form, command line and documentation show it. */
export type FormatOption = { name: string; says: string } & (
  | { kind: 'choice'; values: readonly { value: string; says: string }[]; otherwise: string }
  | { kind: 'number'; min: number; max: number; otherwise: number; isWhole?: boolean }
  | { kind: 'flag'; otherwise: boolean }
);

export type Options = Readonly<Record<string, OptionValue>>;

/** Why a dataset cannot be written, with the first things it concerns and how many there are. */
export interface Problem {
  what: string;
  examples: readonly string[];
  count: number;
}

export interface Check {
  /** Any of these stops the export before a byte is written. */
  refusals: readonly Problem[];
  /** What the format cannot hold, in sentences. */
  losses: readonly string[];
}

/** A folder or an archive that somebody wants to bring in. Paths are as given, checked against climbing out. */
export interface SourceTree {
  paths: readonly string[];
  bytes(path: string): Promise<Uint8Array>;
}

/** How sure a reader is that a tree is in its format, and what it saw. */
export interface Detection {
  /** 0 to 1; the surest reader is taken. */
  certainty: number;
  because: string;
}

/** An image of a tree, with its labels as the files say. */
export interface SourceImage extends Omit<DatasetImage, 'picture' | 'split' | 'width' | 'height'> {
  /** Where the picture is, for messages. */
  path: string;
  /** The coded picture. */
  bytes(): Promise<Uint8Array>;
  /** Null where the files do not say. */
  split: string | null;
  /** As the files say; the picture itself is asked when they do not. Masks have this size. */
  width: number | null;
  height: number | null;
}

export interface Source {
  /** Made from what the files say, or the preset of the dataset. */
  schema: DatasetSchema;
  /** Ends of sentences are for people: "3 annotations of area 0 were left out". Complete once `images` has ended. */
  notes: readonly string[];
  images(): AsyncIterable<SourceImage>;
}

export interface Format {
  /** As on the command line. */
  id: string;
  name: string;
  /** One sentence. */
  summary: string;
  kind: 'part-model code' | 'own layout' | 'general';
  /** Beside those that every format has (see common-options.ts). */
  options: readonly FormatOption[];
  /** One pass over the labels; reads no pixels. */
  check(dataset: Dataset, options: Options): Promise<Check>;
  /** Files in an order that never changes. Called only when `check` refused nothing. */
  write(dataset: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile>;
  /** Null where nobody writes the format but us, or where it holds no labels that can be brought back. */
  reader: {
    detect(tree: SourceTree): Promise<Detection | null>;
    read(tree: SourceTree): Promise<Source>;
  } | null;
}
