import type { SuiteReport } from '../report/report';
import type { RowTable } from '../report/row-table';
import type { SaliencyMethod } from '../saliency/compute-saliency';
import type { Variant } from '../types';

export const presets = ['quick', 'paper'] as const;
export type Preset = (typeof presets)[number];

/** Input for planning a suite. */
export interface Setting {
  preset: Preset;
  seed: number;
  classes: readonly string[];
  /** Ids of localised attributes. */
  attributes: readonly string[];
  /** Ids of all attributes. */
  marked: readonly string[];
  /** Input size of the model in pixels. */
  side: number;
  /** Generator of FMR; defaults to small changes. */
  generator?: { id: 'search' | 'squares' } | { id: 'decoder'; step: number };
  /** Capabilities. `crowd`: workers are the oracle. `looking`: saliency method, unknown before the model is opened. */
  offers: {
    gradient: boolean;
    oracle: boolean;
    features: boolean;
    crowd?: boolean;
    looking?: SaliencyMethod;
  };
}

/** A variant with its maximum number of images, which limits expensive variants. */
export type Planned = Variant & { maxImages: number };

export const ALL_IMAGES = Number.POSITIVE_INFINITY;

export const onAllImages = (variants: readonly Variant[]): Planned[] =>
  variants.map((variant) => ({ ...variant, maxImages: ALL_IMAGES }));

/** A robustness suite: variants and a report. All suites also use the clean pictures. */
export interface Suite {
  id: string;
  /** Increased when the report changes the meaning of a finding: older evaluations are then not comparable. */
  version: number;
  name: string;
  description: string;
  /** Null if the suite can run; otherwise the reason and a remedy. */
  refusal(setting: Setting): string | null;
  variants(setting: Setting): Planned[];
  report(table: RowTable, setting: Setting): SuiteReport;
}

export const joinReports = (reports: readonly SuiteReport[]): SuiteReport => ({
  findings: reports.flatMap(({ findings }) => findings),
  lines: reports.flatMap(({ lines }) => lines),
  plots: reports.flatMap(({ plots }) => plots),
  skipped: [],
  notes: reports.flatMap(({ notes }) => notes),
});
