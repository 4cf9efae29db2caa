import { useEffect, useState } from 'react';
import { assistAddress } from './use-assist';

type AssistsThere = { readonly prompts: readonly string[]; readonly notice: string | null };

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
        tell(response.ok ? body : { prompts: [], notice: body.detail });
      })
      .catch(() => tell({ prompts: [], notice: 'The server does not answer. Draw by hand meanwhile.' }));
    return () => {
      isGone = true;
    };
  }, [lease, isWanted, isKnown]);
  return isKnown ? answer.there : undefined;
}
