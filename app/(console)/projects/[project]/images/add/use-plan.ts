import { useCallback, useEffect, useState } from 'react';
import { callApi } from '@/app/_shell/call-api';
import type { Mapping } from '@/lib/core/formats/mapping';

export type PlannedCategory = {
  category: string;
  target: string;
  reason: string;
  annotations: number;
  unreadable: number;
  images: number;
  maxPerImage: number;
};
export type Preview = {
  path: string;
  className: string | null;
  split: string | null;
  picture: string | null;
  problem: string | null;
  width: number;
  height: number;
};
export type Plan = {
  format: string;
  formatName: string;
  because: string;
  mapping: Mapping;
  yaml: string;
  schema: { classes: { id: string }[]; parts: { id: string; colour: string }[] };
  categories: PlannedCategory[];
  images: number;
  isComplete: boolean;
  totals: { annotations: number; imported: number; skipped: number };
  folders: string[];
  fields: string[];
  remarks: string[];
  previews: Preview[];
};
export type SavedMapping = { id: string; name: string; mapping: Mapping };

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Loads the plan of an import and keeps its mapping while it is edited. */
export function usePlan(project: string, upload: string, format: string) {
  const [plan, setPlan] = useState<Plan>();
  const [mapping, setMapping] = useState<Mapping>();
  const [saved, setSaved] = useState<SavedMapping[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isLoading, setIsLoading] = useState(true);
  const address = `/api/v1/projects/${project}`;

  const load = useCallback(
    async (input: { mapping?: Mapping; className?: string }) => {
      setIsLoading(true);
      setProblem(undefined);
      try {
        const found = await callApi<Plan>('POST', `${address}/uploads/${upload}/plan`, {
          json: { format, ...input },
        });
        setPlan(found);
        setMapping(found.mapping);
      } catch (error) {
        setProblem(messageOf(error));
      } finally {
        setIsLoading(false);
      }
    },
    [address, upload, format],
  );

  const listSaved = useCallback(async () => {
    const { items } = await callApi<{ items: SavedMapping[] }>('GET', `${address}/import-mappings`);
    setSaved(items);
  }, [address]);

  useEffect(() => {
    load({});
    listSaved().catch((error) => setProblem(messageOf(error)));
  }, [load, listSaved]);

  const save = useCallback(
    async (name: string, given: Mapping) => {
      try {
        await callApi('POST', `${address}/import-mappings`, { json: { name, mapping: given } });
        await listSaved();
        return true;
      } catch (error) {
        setProblem(messageOf(error));
        return false;
      }
    },
    [address, listSaved],
  );

  /** Whether the mapping has changed since the totals and previews were computed. */
  const isChanged = plan !== undefined && mapping !== plan.mapping;
  return { plan, mapping, setMapping, isChanged, saved, save, load, problem, isLoading };
}
