import type { Estimate } from '../metrics/estimates';
import type { Reason } from '../types';

/** A number of a suite, by a name that never changes: what leaderboards and comparisons are made of. */
export interface Finding extends Estimate {
  id: string;
  name: string;
  /** One sentence: what it is, and which way is good. */
  says: string;
  unit: 'share' | 'points' | 'number';
  /** An upper bound only: a stronger attack may find less. */
  isBound?: boolean;
}

/** A line of the report table: one group of images in one variant. */
export interface ReportLine extends Estimate {
  paradigm: 'subpopulation' | 'transformation' | 'evaluation set' | 'attack';
  group: string;
  name: string;
  /** Share of each class among its images, in the order of the model's classes. */
  classShares?: number[];
  /** What the gallery shows when the line is chosen. */
  filter: GalleryFilter;
}

export interface GalleryFilter {
  className?: string;
  predicted?: string;
  attribute?: string;
  /** Another one that the image has too. */
  alsoAttribute?: string;
  /** Correctness on the clean picture, or in the variant. */
  isRight?: boolean;
  variant?: string;
  level?: string;
  /** A group of the report, by its key: `Attribute: striped`. */
  group?: string;
  /** A name among the scores of the images, from and below. */
  score?: string;
  from?: number;
  to?: number;
  /** A name among the scores of the images, to sort by. */
  sort?: string;
}

/** A plot as data: one component draws all of them, and writes them as SVG and CSV. */
export type Plot = { id: string; title: string; says: string } & (
  | {
      kind: 'lines';
      x: string;
      y: string;
      series: {
        name: string;
        points: {
          x: number;
          y: number | null;
          low?: number | null;
          high?: number | null;
          filter?: GalleryFilter;
        }[];
      }[];
    }
  | {
      kind: 'bars';
      y: string;
      bars: {
        name: string;
        value: number | null;
        low: number | null;
        high: number | null;
        isBound?: boolean;
        filter?: GalleryFilter;
      }[];
    }
  | {
      kind: 'heat';
      rows: string[];
      columns: string[];
      values: (number | null)[][];
      unit: Finding['unit'];
      /** What each cell leads to, as `values`. */
      filters?: (GalleryFilter | null)[][];
      /** Values lie on both sides of 0; so do points. */
      isDiverging?: boolean;
    }
  | {
      kind: 'scatter';
      x: string;
      y: string;
      /** The line where both are equal. */
      hasDiagonal: boolean;
      points: { name: string; x: number; y: number; filter?: GalleryFilter }[];
    }
  | {
      kind: 'distribution';
      x: string;
      groups: { name: string; values: number[] }[];
      /** The score that it is the distribution of: a bar leads to the images in its span. */
      score?: string;
    }
);

/** What a suite found: kept with the evaluation as it is. */
export interface SuiteReport {
  findings: Finding[];
  lines: ReportLine[];
  plots: Plot[];
  /** Cells without a row, by variant and reason. */
  skipped: { variant: string; reason: Reason; count: number }[];
  notes: string[];
}
