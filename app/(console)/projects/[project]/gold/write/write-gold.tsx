'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import { KeysProvider } from '@/app/annotate/_canvas/keys';
import type { KeyChoices } from '@/lib/core/editor';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { ChooseAttributes } from './choose-attributes';
import { ChooseClass } from './choose-class';
import type { GoldQuestionView } from './read-question';
import { sendGold } from './send-gold';
import type { SaveProps } from './write-frame';

// Konva needs a window.
const DrawMask = dynamic(() => import('./draw-mask').then((module) => module.DrawMask), {
  ssr: false,
  loading: () => <p className="p-6 text-ink-2">The annotator is loading…</p>,
});

interface WriteGoldProps {
  slug: string;
  question: GoldQuestionView;
  keys: KeyChoices;
  /** The policy wants somebody else to confirm it. */
  needsOther: boolean;
}

/** A question, answered for good: in the annotator or the form that workers have. */
export function WriteGold({ slug, question, keys, needsOther }: WriteGoldProps) {
  const router = useRouter();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { stageId, imageId, target } = question;
  const back = `/projects/${slug}/gold/write?${new URLSearchParams({ stage: stageId, target })}`;

  const save = async (value: AnswerValue | undefined, use: boolean) => {
    if (value === undefined) return setProblem('Answer it first, or say that there is nothing.');
    setPending(true);
    const reply = await sendGold(slug, { stageId, imageId, target, value, use });
    setPending(false);
    if (reply.problem !== undefined) return setProblem(reply.problem);
    toast.success(reply.state === 'active' ? 'Saved, and in use.' : 'Saved as a candidate.');
    router.push(back);
    router.refresh();
  };
  const props: SaveProps = { question, back, isPending, problem, needsOther, onSave: save };
  return (
    <KeysProvider stored={keys}>
      {question.kind === 'attributes' ? (
        <ChooseAttributes {...props} />
      ) : question.kind === 'oracle' ? (
        <ChooseClass {...props} />
      ) : (
        <DrawMask {...props} />
      )}
    </KeysProvider>
  );
}
