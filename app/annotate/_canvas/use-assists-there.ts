import { useEffect, useState } from 'react';
import { type EditorMessage, editorMessage } from '@/lib/core/editor';
import { assistProblem } from './assist-object';
import { assistAddress } from './use-assist';

type AssistsThere = { readonly prompts: readonly string[]; readonly problem?: EditorMessage };

/** Asked once per item, when it is first wanted: the server then begins to look at the picture. */
export function useAssistsThere(lease: string, isWanted: boolean): AssistsThere | undefined {
  const [answer, setAnswer] = useState<{ of: string; there: AssistsThere }>();
  const isKnown = answer?.of === lease;
  useEffect(() => {
    if (!isWanted || isKnown) return;
    let isGone = false;
    const tell = (there: AssistsThere) => !isGone && setAnswer({ of: lease, there });
    fetch(assistAddress(lease), { cache: 'no-store' })
      .then(async (response) => {
        const body = await response.json();
        if (!response.ok) return tell({ prompts: [], problem: assistProblem(body) });
        const { prompts }: { prompts: readonly string[] } = body;
        tell(prompts.length > 0 ? { prompts } : { prompts, problem: editorMessage('smartUnavailable') });
      })
      .catch(() => tell({ prompts: [], problem: editorMessage('noServer') }));
    return () => {
      isGone = true;
    };
  }, [lease, isWanted, isKnown]);
  return isKnown ? answer.there : undefined;
}
