import { useEffect, useState } from 'react';
import type { AuditApi, AuditLabel } from './audit-api';

/** Labels ahead and behind that stay in memory. */
const KEPT = 60;

/** Labels that were loaded, with their pictures decoded by the browser, so that going on is instant. */
export class LabelStore {
  readonly #api: AuditApi;
  readonly #loading = new Map<string, Promise<AuditLabel>>();
  readonly #ready = new Map<string, AuditLabel>();

  constructor(api: AuditApi, first?: AuditLabel) {
    this.#api = api;
    if (!first) return;
    this.#ready.set(first.id, first);
    this.#loading.set(first.id, Promise.resolve(first));
  }

  ready(labelId: string): AuditLabel | undefined {
    return this.#ready.get(labelId);
  }

  load(labelId: string): Promise<AuditLabel> {
    const loading = this.#loading.get(labelId) ?? this.#fetch(labelId);
    this.#loading.delete(labelId);
    this.#loading.set(labelId, loading);
    for (const old of [...this.#loading.keys()].slice(0, -KEPT)) this.#forget(old);
    return loading;
  }

  /** A failure shows when the label is opened. */
  prefetch(labelIds: readonly string[]): void {
    for (const labelId of labelIds) this.load(labelId).catch(() => undefined);
  }

  /** The decision changed the label, so it is loaded again. */
  forget(labelId: string): void {
    this.#forget(labelId);
  }

  async #fetch(labelId: string): Promise<AuditLabel> {
    try {
      const label = await this.#api.label(labelId);
      const picture = new Image();
      picture.src = label.image.url;
      // A picture that cannot be decoded is shown as missing by the page.
      await picture.decode().catch(() => undefined);
      this.#ready.set(labelId, label);
      return label;
    } catch (error) {
      this.#forget(labelId);
      throw error;
    }
  }

  #forget(labelId: string): void {
    this.#loading.delete(labelId);
    this.#ready.delete(labelId);
  }
}

export type Shown = { label?: AuditLabel; problem?: string };

/** The label with this id: at once when it was loaded ahead. */
export function useLabel(store: LabelStore, labelId: string | undefined, version: number): Shown {
  const [loaded, setLoaded] = useState<{ id: string; version: number } & Shown>();
  useEffect(() => {
    if (labelId === undefined) return;
    let isGone = false;
    store.load(labelId).then(
      (label) => !isGone && setLoaded({ id: labelId, version, label }),
      (error: Error) => !isGone && setLoaded({ id: labelId, version, problem: error.message }),
    );
    return () => {
      isGone = true;
    };
  }, [store, labelId, version]);
  if (labelId === undefined) return {};
  const ready = store.ready(labelId);
  if (ready) return { label: ready };
  return loaded?.id === labelId && loaded.version === version ? loaded : {};
}
