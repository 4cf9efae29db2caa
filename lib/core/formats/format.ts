import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Dataset, DatasetImage } from './dataset';
import type { RawSource } from './shared/raw-source';

/** A file, or a folder if the path ends in a slash. Content is created on demand, so a resumed export skips finished files. */
export interface FormatFile {
  /** Relative to the export, with forward slashes. */
  path: string;
  /** The whole content, for small files and images. */
  bytes?(): Uint8Array | Promise<Uint8Array>;
  /** The content in chunks, for files that grow with the dataset. */
  chunks?(): AsyncIterable<Uint8Array | string>;
  /** SHA-256 of the content if it is known in advance: a stored file that is copied unchanged. */
  sha256?: string;
}

/** Access to image files. Injected, because formats are pure code. */
export interface Pictures {
  /** Reads the stored file unchanged. Throws if the image has a window set. */
  readStored(image: DatasetImage): Promise<Uint8Array>;
  /** Encodes the image deterministically. `size` scales it to exactly that size. */
  encode(
    image: DatasetImage,
    as: { format: 'png' | 'jpeg'; quality?: number; size?: { width: number; height: number } },
  ): Promise<Uint8Array>;
}

export type OptionValue = string | number | boolean;

/** An option, as forms, the CLI and the documentation show it. */
export type FormatOption = { name: string; description: string } & (
  | { kind: 'choice'; values: readonly { value: string; description: string }[]; defaultValue: string }
  | { kind: 'number'; min: number; max: number; defaultValue: number; isWhole?: boolean }
  | { kind: 'flag'; defaultValue: boolean }
);

export type Options = Readonly<Record<string, OptionValue>>;

/** Why a dataset cannot be written, with the first examples and their total number. */
export interface Problem {
  what: string;
  examples: readonly string[];
  count: number;
}

export interface Check {
  /** A single refusal prevents the export. */
  refusals: readonly Problem[];
  /** What the format cannot store, as sentences. */
  losses: readonly string[];
}

/** A folder or an archive to import. Paths are relative and cannot leave the root. */
export interface SourceTree {
  paths: readonly string[];
  bytes(path: string): Promise<Uint8Array>;
}

/** The confidence of a reader that a tree has its format, with the evidence. */
export interface Detection {
  /** 0 to 1; the reader with the highest value is used. */
  certainty: number;
  because: string;
}

/** An image of a tree with the labels in its files. */
export interface SourceImage extends Omit<DatasetImage, 'picture' | 'split' | 'width' | 'height'> {
  /** Path of the image file, for messages. */
  path: string;
  /** Content of the image file. */
  bytes(): Promise<Uint8Array>;
  /** Null if the files do not specify it. */
  split: string | null;
  /** The size in the label files, or null to read it from the image. Masks have this size. */
  width: number | null;
  height: number | null;
}

export interface Source {
  /** Inferred from the files, or the preset of the dataset. */
  schema: DatasetSchema;
  /** Sentences about what was left out: "3 annotations of area 0 were left out". Complete after `images` has ended. */
  notes: readonly string[];
  images(): AsyncIterable<SourceImage>;
}

/**
 * Labels that not every format can represent: several instances of a part, regions of stuff classes, crowd regions,
 * regions to ignore (crowd regions without a class), and flags.
 */
export type LabelFeature = 'instances' | 'stuff' | 'crowd' | 'ignore' | 'occluded' | 'truncated';

export interface Format {
  /** Id on the command line and in the API. */
  id: string;
  name: string;
  /** One sentence. */
  summary: string;
  kind: 'part-model code' | 'own layout' | 'general';
  /** What the format can represent; other labels are left out and listed as losses. See shared/guard.ts. */
  holds?: readonly LabelFeature[];
  /** False if the format has no place for the class of an image without masks. */
  holdsClasses?: boolean;
  /** In addition to the common options (see options.ts). */
  options: readonly FormatOption[];
  /** Checks the labels in one pass, without reading pixels. */
  check(dataset: Dataset, options: Options): Promise<Check>;
  /** Lists the files in a fixed order. Called only if `check` has no refusals. */
  write(dataset: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile>;
  /** Null if only Tessera writes the format, or if it stores no labels that can be imported. */
  reader: {
    detect(tree: SourceTree): Promise<Detection | null>;
    /** The dataset with the meaning that the files, or the names in them, give to its categories. */
    read(tree: SourceTree): Promise<Source>;
    /** The dataset before its categories have a meaning. Undefined for layouts with a fixed meaning. */
    open?(tree: SourceTree): Promise<RawSource>;
  } | null;
}
