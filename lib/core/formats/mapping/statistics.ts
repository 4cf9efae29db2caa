import { area, boundingBox, intersectionArea, type Mask } from '@/lib/core/mask';
import { cleanCategory, type RawCategory, type RawImage, type RawSource } from '../shared/raw-source';
import { folderOf } from '../shared/read-tree';

/** What the annotations of a category look like. */
export interface SourceCategory extends RawCategory {
  annotations: number;
  /** Annotations that have no mask. */
  unreadable: number;
  crowds: number;
  images: number;
  /** Most annotations in one image. */
  maxPerImage: number;
  /** Paths of the first images with it. */
  samples: string[];
  /** Null if no image was rasterized. */
  geometry: CategoryGeometry | null;
}

export interface CategoryGeometry {
  /** Annotations that were rasterized. */
  measured: number;
  /** Mean share of the image. */
  meanShare: number;
  /** Annotations that lie inside an annotation of the other category, by its name. */
  inside: Record<string, number>;
  /** Annotations whose image has an annotation of the other category, by its name. */
  together: Record<string, number>;
}

export interface SourceStatistics {
  categories: SourceCategory[];
  images: number;
  /** Images with annotations of at least two categories that were rasterized. */
  measuredImages: number;
  /** Those of them whose annotations form one cluster. */
  clusteredImages: number;
  /** Median number of categories of the measured images. */
  medianCategories: number;
  /** False if only the first images were counted. */
  isComplete: boolean;
  /** Folders of images, with their number of images. */
  folders: Record<string, number>;
  /** Fields of image records, with their number of different values, up to 20. */
  fields: Record<string, number>;
  /** Tags, with the number of images. */
  tags: Record<string, number>;
}

/** Images that are rasterized for geometry. More of them rarely change a proposal. */
const MAX_MEASURED_IMAGES = 200;
const MAX_MEASURED_ANNOTATIONS = 120;
const MAX_SAMPLES = 3;
/** Every record of a hostile file could have other tags and fields. */
const MAX_FOLDERS = 1000;
const MAX_TAGS = 1000;
const MAX_FIELDS = 200;
const MAX_VALUES = 20;
/** Of the area: hand-drawn parts extend a little beyond their object. */
const INSIDE = 0.9;
/** A mask that covers more of the image is its background. */
const BACKGROUND = 0.95;
/** Of the diagonal of the image: annotations closer than this belong to one cluster. */
const GAP = 0.05;

interface Drawn {
  category: string;
  mask: Mask;
  area: number;
  box: readonly [number, number, number, number];
}

/** Collects statistics. Counts every image until `canContinue` returns false, and rasterizes the first ones. */
export async function collectStatistics(
  source: RawSource,
  options: {
    canContinue?: () => boolean | Promise<boolean>;
    measuredImages?: number;
    onImage?: (image: RawImage) => void;
  } = {},
): Promise<SourceStatistics> {
  const { canContinue = () => true, measuredImages = MAX_MEASURED_IMAGES, onImage } = options;
  const collector = new Collector(source.categories);
  for await (const image of source.images()) {
    if (!(await canContinue())) {
      collector.isComplete = false;
      break;
    }
    onImage?.(image);
    collector.count(image);
    if (collector.rasterized < measuredImages && image.annotations.length > 0 && !image.problem)
      collector.measure(await rasterize(image));
  }
  return collector.result();
}

async function rasterize({ annotations }: RawImage): Promise<Drawn[]> {
  const drawn: Drawn[] = [];
  for (const { category, problem, flags, mask } of annotations.slice(0, MAX_MEASURED_ANNOTATIONS)) {
    if (problem !== undefined || flags?.includes('crowd')) continue;
    try {
      const own = await mask();
      if (own.toggles.length > 1)
        drawn.push({ category: cleanCategory(category), mask: own, area: area(own), box: boundingBox(own) });
    } catch {
      // Counted and reported when it is imported.
    }
  }
  return drawn;
}

class Collector {
  readonly #categories = new Map<string, SourceCategory>();
  readonly #shares = new Map<string, number>();
  readonly #counts: number[] = [];
  readonly #folders = new Map<string, number>();
  readonly #values = new Map<string, Set<string>>();
  readonly #tags = new Map<string, number>();
  #images = 0;
  #clustered = 0;
  rasterized = 0;
  isComplete = true;

  constructor(declared: readonly RawCategory[]) {
    for (const given of declared) {
      const category = { ...given, name: cleanCategory(given.name) };
      if (!this.#categories.has(category.name)) this.#enter(category);
    }
  }

  #enter(category: RawCategory): SourceCategory {
    const entered: SourceCategory = {
      ...category,
      annotations: 0,
      unreadable: 0,
      crowds: 0,
      images: 0,
      maxPerImage: 0,
      samples: [],
      geometry: null,
    };
    this.#categories.set(category.name, entered);
    return entered;
  }

  #category(given: string): SourceCategory {
    const name = cleanCategory(given);
    return this.#categories.get(name) ?? this.#enter({ name });
  }

  count({ path, annotations, fields, tags, problem }: RawImage): void {
    const own = new Map<string, number>();
    for (const { category, problem: why, flags } of annotations) {
      const known = this.#category(category);
      known.annotations += 1;
      if (why !== undefined || problem !== undefined) known.unreadable += 1;
      if (flags?.includes('crowd')) known.crowds += 1;
      else own.set(known.name, (own.get(known.name) ?? 0) + 1);
    }
    for (const tag of tags)
      if (this.#tags.size < MAX_TAGS || this.#tags.has(tag))
        this.#tags.set(tag, (this.#tags.get(tag) ?? 0) + 1);
    if (problem !== undefined) return;
    this.#images += 1;
    for (const [name, times] of own) {
      const known = this.#category(name);
      known.images += 1;
      known.maxPerImage = Math.max(known.maxPerImage, times);
      if (known.samples.length < MAX_SAMPLES) known.samples.push(path);
    }
    const folder = folderOf(path);
    if (this.#folders.size < MAX_FOLDERS || this.#folders.has(folder))
      this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + 1);
    for (const [field, value] of Object.entries(fields)) {
      if (this.#values.size >= MAX_FIELDS && !this.#values.has(field)) continue;
      const values = this.#values.get(field) ?? new Set();
      if (values.size < MAX_VALUES) values.add(value);
      this.#values.set(field, values);
    }
  }

  measure(drawn: readonly Drawn[]): void {
    const [first] = drawn;
    if (!first) return;
    this.rasterized += 1;
    const { width, height } = first.mask;
    const pixels = width * height;
    const same = drawn.filter(({ mask }) => mask.width === width && mask.height === height);
    const names = new Set(same.map(({ category }) => category));
    for (const own of same) {
      const geometry = this.#geometryOf(own.category);
      geometry.measured += 1;
      this.#shares.set(own.category, (this.#shares.get(own.category) ?? 0) + own.area / pixels);
      for (const name of names)
        if (name !== own.category) {
          geometry.together[name] = (geometry.together[name] ?? 0) + 1;
          if (same.some((other) => other.category === name && isInside(own, other, pixels)))
            geometry.inside[name] = (geometry.inside[name] ?? 0) + 1;
        }
    }
    if (names.size < 2) return;
    this.#counts.push(names.size);
    if (isOneCluster(same, GAP * Math.hypot(width, height))) this.#clustered += 1;
  }

  #geometryOf(name: string): CategoryGeometry {
    const category = this.#category(name);
    category.geometry ??= { measured: 0, meanShare: 0, inside: {}, together: {} };
    return category.geometry;
  }

  result(): SourceStatistics {
    for (const [name, share] of this.#shares) {
      const geometry = this.#geometryOf(name);
      geometry.meanShare = share / geometry.measured;
    }
    const counts = [...this.#counts].sort((a, b) => a - b);
    return {
      categories: [...this.#categories.values()],
      images: this.#images,
      measuredImages: counts.length,
      clusteredImages: this.#clustered,
      medianCategories: counts[Math.floor(counts.length / 2)] ?? 0,
      isComplete: this.isComplete,
      folders: Object.fromEntries(this.#folders),
      fields: Object.fromEntries([...this.#values].map(([field, values]) => [field, values.size])),
      tags: Object.fromEntries(this.#tags),
    };
  }
}

function isInside(own: Drawn, other: Drawn, pixels: number): boolean {
  if (own.area >= INSIDE * other.area || other.area > BACKGROUND * pixels) return false;
  const [x, y, width, height] = own.box;
  const [left, top, across, down] = other.box;
  const overlapX = Math.min(x + width, left + across) - Math.max(x, left);
  const overlapY = Math.min(y + height, top + down) - Math.max(y, top);
  if (overlapX <= 0 || overlapY <= 0) return false;
  return intersectionArea(own.mask, other.mask) >= INSIDE * own.area;
}

/** Whether boxes that are at most `gap` apart connect all annotations. */
function isOneCluster(drawn: readonly Drawn[], gap: number): boolean {
  const open = new Set(drawn.keys());
  const queue = [0];
  open.delete(0);
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const [x, y, width, height] = (drawn[at] as Drawn).box;
    for (const other of [...open]) {
      const [left, top, across, down] = (drawn[other] as Drawn).box;
      const isNear =
        Math.max(x, left) - Math.min(x + width, left + across) <= gap &&
        Math.max(y, top) - Math.min(y + height, top + down) <= gap;
      if (!isNear) continue;
      open.delete(other);
      queue.push(other);
    }
  }
  return open.size === 0;
}

/** Statistics of declared categories only, for readers that are used without a mapping step. */
export const declaredStatistics = (categories: readonly RawCategory[]): SourceStatistics =>
  new Collector(categories).result();
