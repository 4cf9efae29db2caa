import type { UploadCounts, UploadOptions } from '@/lib/services/images/ingest/uploads';
import type { LocalFile } from './files';

export interface UploadState {
  isDone: boolean;
  counts: UploadCounts;
}

export interface Refusal {
  name: string;
  reason: string;
}

/** Where pictures go: the database of this machine, or an instance elsewhere. */
export interface Destination extends AsyncDisposable {
  begin(options: Partial<UploadOptions>): Promise<void>;
  send(file: LocalFile): Promise<void>;
  finish(): Promise<void>;
  state(): Promise<UploadState>;
  refusals(): Promise<Refusal[]>;
}
