import type { AnswerValue } from '@/lib/core/quality/answer';
import type { DatasetSchema } from '@/lib/core/schema';
import type { AskedKind } from '../question';

/** What a simulated person reads of the API's answers. */
export interface SentProject {
  id: string;
  slug: string;
  schema: DatasetSchema | null;
  stages: SentStage[];
}

export interface SentStage {
  id: string;
  kind: AskedKind;
  name: string;
  state: string;
  position: number;
}

export interface SentWork {
  stages: { project: { id: string }; gate: { gate: string } | null }[];
}

export interface SentItem {
  leaseId: string;
  position: number;
  state: 'open' | 'answered' | 'released';
  schemaVersionId: string;
  image: { width: number; height: number; working: { url: string } };
  target: { id: string } | null;
}

export interface SentBatch {
  id: string;
  stage: { kind: AskedKind };
  schemas: { id: string; document: DatasetSchema }[];
  items: SentItem[];
}

export interface SentClosed {
  state: string;
  pay: { amountMicro: string; currency: string } | null;
}

export interface SentImage {
  id: string;
  name: string;
  className: string | null;
  width: number;
  height: number;
}

export interface SentImageDetail extends SentImage {
  original: { url: string };
  working: { url: string } | null;
  items: {
    stageKind: AskedKind;
    target: string;
    overlap: number;
    answered: number;
    label: { value: AnswerValue; mask: string | null } | null;
  }[];
}

/** The blob that an address shows: all that tells one picture from another. */
export const blobIn = (url: string): string => /\/api\/blobs\/([0-9a-f]{64})/.exec(url)?.[1] ?? url;
