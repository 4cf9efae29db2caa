import { useCallback, useRef, useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import type { AuditApi, QueueRow } from './audit-api';

export type QueuePage = { rows: QueueRow[]; next: string | null };

/** Fetched when fewer than this are left ahead. */
const AHEAD = 20;

/** The queue as it was when the page was opened, longer as one walks on. What is decided keeps its place. */
export function useQueue(api: AuditApi, first: QueuePage, query: string) {
  const [rows, setRows] = useState(first.rows);
  const [index, setIndex] = useState(0);
  const next = useRef(first.next);
  const isLoading = useRef(false);

  const more = useCallback(async () => {
    if (next.current === null || isLoading.current) return;
    isLoading.current = true;
    try {
      const wanted = new URLSearchParams(query);
      wanted.set('cursor', next.current);
      wanted.set('limit', '60');
      const page = await api.queue(wanted);
      next.current = page.next;
      setRows((now) => {
        const known = new Set(now.map((row) => row.labelId));
        return [...now, ...page.items.filter((row) => !known.has(row.labelId))];
      });
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'The rest of the queue could not be loaded.');
    } finally {
      isLoading.current = false;
    }
  }, [api, query]);

  const goTo = (place: number) => {
    const to = Math.max(0, Math.min(rows.length - 1, place));
    setIndex(to);
    if (to > rows.length - AHEAD) void more();
  };
  return { rows, index, goTo, more, hasMore: () => next.current !== null };
}
