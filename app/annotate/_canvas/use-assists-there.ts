import { useEffect, useState } from 'react';
import { type EditorMessage, editorMessage, type ToolId } from '@/lib/core/editor';
import { assistProblem } from './assist-object';

export type AssistsThere = {
  readonly prompts: readonly string[];
  /** The model is still encoding the image. */
  readonly isPreparing: boolean;
  readonly problem?: EditorMessage;
  /** What to do where no tool is available: shown to curators. */
  readonly notice?: string;
};

/** The smart tools of the server for one image; undefined until it has answered. */
export type Assists = { readonly path: string; readonly there: AssistsThere | undefined };

const POLL_MS = 1000;
const NONE: AssistsThere = { prompts: [], isPreparing: false };

/**
 * Asks the server which smart tools an image has, when it is opened: the server then begins to encode it. Repeats the
 * question until the image is ready. With an empty path, nothing is asked.
 */
export function useAssistsThere(path: string): Assists {
  const [answer, setAnswer] = useState<{ of: string; there: AssistsThere }>();
  useEffect(() => {
    if (path === '') return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const query = async () => {
      const there = await readAssists(path);
      if (isGone) return;
      setAnswer({ of: path, there });
      if (there.isPreparing) timer = setTimeout(query, POLL_MS);
    };
    void query();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [path]);
  return { path, there: answer?.of === path ? answer.there : undefined };
}

type Reply = { prompts: readonly string[]; picture: 'ready' | 'preparing' | null; notice: string | null };

async function readAssists(path: string): Promise<AssistsThere> {
  try {
    const response = await fetch(path, { cache: 'no-store' });
    const body = await response.json();
    if (!response.ok) return { ...NONE, problem: assistProblem(body) };
    const { prompts, picture, notice }: Reply = body;
    if (prompts.length === 0)
      return { ...NONE, problem: editorMessage('smartUnavailable'), notice: notice ?? undefined };
    return { prompts, isPreparing: picture === 'preparing' };
  } catch {
    return { ...NONE, problem: editorMessage('noServer') };
  }
}

export const leaseAssists = (leaseId: string): string => `/api/v1/work/leases/${leaseId}/assist`;

const noTools: ReadonlySet<ToolId> = new Set();
const smartObject: ReadonlySet<ToolId> = new Set(['smart-object']);

/** For pages of curators: tools to hide, and how to get them. */
export const smartTools = ({ there }: Assists) => ({
  hidden: there && there.prompts.length > 0 ? noTools : smartObject,
  notice: there?.notice,
});
