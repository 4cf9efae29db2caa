import type { SuiteReport } from '../report/report';
import type { RowTable } from '../report/row-table';
import type { SaliencyMethod } from '../saliency/compute-saliency';
import type { Variant } from '../types';

export const presets = ['quick', 'paper'] as const;
export type Preset = (typeof presets)[number];

/** What a suite is planned from. */
export interface Setting {
  preset: Preset;
  seed: number;
  classes: readonly string[];
  /** Ids of attributes that are drawn. */
  attributes: readonly string[];
  /** Ids of all attributes, also of those that are marked and not drawn. */
  marked: readonly string[];
  /** Pixels of a side of what the model sees. */
  side: number;
  /** What drives pictures away from the model (FMR); small changes where nothing is said. */
  generator?: { id: 'search' | 'squares' } | { id: 'decoder'; step: number };
  /** `crowd`: people are the oracle. `looking`: how it is seen where the model looks; not known before it is opened. */
  offers: {
    gradient: boolean;
    oracle: boolean;
    features: boolean;
    crowd?: boolean;
    looking?: SaliencyMethod;
  };
}

/** A variant and how many images it is worth: attacks cost thousands of runs each. */
export type Planned = Variant & { most: number };

export const ALL_IMAGES = Number.POSITIVE_INFINITY;

export const onAllImages = (variants: readonly Variant[]): Planned[] =>
  variants.map((variant) => ({ ...variant, most: ALL_IMAGES }));

/** One question about a model. All of them need the clean pictures too. */
export interface Suite {
  id: string;
  /** Increased when the report changes the meaning of a finding: older evaluations are then not comparable. */
  version: number;
  name: string;
  says: string;
  /** Null where the suite can be run; else why not, and what to do. */
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
