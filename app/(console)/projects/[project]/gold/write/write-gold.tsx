'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import { AttributeForm } from '@/app/annotate/_attributes/attribute-form';
import { chosenClass, classChoices, useClassForm } from '@/app/annotate/_attributes/class-form';
import { KeysProvider, useKeys } from '@/app/annotate/_canvas/keys';
import type { KeyChoices } from '@/lib/core/editor';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type AttributeChoices, fitChoices, validateAttributes } from '@/lib/core/schema';
import type { GoldQuestionView } from './read-question';
import { sendGold } from './send-gold';
import { type SaveProps, WriteFrame } from './write-frame';

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
  const assists = `/api/v1/projects/${slug}/gold/images/${imageId}/assist`;
  const props: SaveProps = { question, back, assists, isPending, problem, needsOther, onSave: save };
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

/** The form that workers have. */
function ChooseAttributes(props: SaveProps) {
  const { question, onSave } = props;
  const { schema, image, known } = question;
  const [chosen, setChosen] = useState<AttributeChoices>(() =>
    fitChoices(schema, known?.kind === 'attributes' ? known.choices : {}),
  );
  const [showProblems, setShowProblems] = useState(false);
  const { choices } = useKeys();
  const save = (use: boolean) => {
    setShowProblems(true);
    if (validateAttributes(schema, chosen).length > 0) return;
    const plain = Object.fromEntries(Object.entries(chosen).map(([group, options]) => [group, [...options]]));
    onSave({ kind: 'attributes', choices: plain }, use);
  };
  return (
    <WriteFrame {...props} onSave={save}>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <AttributeForm
          schema={schema}
          className={image.className}
          imageUrl={image.url}
          imageWidth={image.width}
          imageHeight={image.height}
          imageAlt={image.name}
          value={chosen}
          onChange={setChosen}
          showProblems={showProblems}
          keyChoices={choices}
        />
      </div>
    </WriteFrame>
  );
}

/** The form that workers have. */
function ChooseClass(props: SaveProps) {
  const { image, schema, known } = props.question;
  const [chosen, setChosen] = useState(known?.kind === 'class' ? known.className : '');
  const [showProblems, setShowProblems] = useState(false);
  const form = useClassForm(schema);
  const { choices } = useKeys();
  const save = (use: boolean) => {
    setShowProblems(true);
    if (chosen !== '') props.onSave({ kind: 'class', className: chosen }, use);
  };
  return (
    <WriteFrame {...props} onSave={save}>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <AttributeForm
          schema={form}
          className={null}
          imageUrl={image.url}
          imageWidth={image.width}
          imageHeight={image.height}
          imageAlt={image.name}
          value={classChoices(chosen)}
          onChange={(next) => setChosen(chosenClass(next))}
          showProblems={showProblems}
          keyChoices={choices}
        />
      </div>
    </WriteFrame>
  );
}
