'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '@/app/_ui/button';
import { FormError } from '@/app/_ui/forms';
import { State } from '@/app/_ui/state';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { GoldQuestionView } from './read-question';

export interface SaveProps {
  question: GoldQuestionView;
  back: string;
  /** Address of the smart tools for the image. */
  assists: string;
  isPending: boolean;
  problem: string | undefined;
  needsOther: boolean;
  onSave: (value: AnswerValue | undefined, use: boolean) => void;
}

interface WriteFrameProps extends Omit<SaveProps, 'onSave'> {
  more?: ReactNode;
  footer?: ReactNode;
  onSave: (use: boolean) => void;
  children: ReactNode;
}

/** What is asked, the ways to save, and the work below; as high as the window, so that nothing moves. */
export function WriteFrame(props: WriteFrameProps) {
  const { question, back, isPending, problem, needsOther, more, footer, onSave, children } = props;
  return (
    <div className="flex h-[calc(100dvh-2.75rem)] min-h-96 flex-col">
      <header className="flex min-h-11 shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-3 py-1.5">
        <Link
          href={back}
          aria-label="Other pictures"
          className="flex size-7 items-center justify-center rounded-md hover:bg-hover"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="min-w-0 flex-1 truncate font-semibold">
          {taskOf(question)} <span className="font-normal text-ink-3">{question.image.name}</span>
        </h1>
        {question.state && <State state={question.state} />}
        {more}
        <Button pending={isPending} onClick={() => onSave(false)}>
          Save as candidate
        </Button>
        <Button
          variant="primary"
          pending={isPending}
          disabled={needsOther}
          title={needsOther ? 'The policy wants a second person: save it as a candidate.' : undefined}
          onClick={() => onSave(true)}
        >
          Save and use
        </Button>
      </header>
      {problem && (
        <div className="px-3 py-2">
          <FormError>{problem}</FormError>
        </div>
      )}
      <div className="relative flex min-h-0 flex-1">{children}</div>
      {footer}
    </div>
  );
}

function taskOf({ kind, asked, image, schema }: GoldQuestionView): string {
  const thing = schema.classes.find(({ id }) => id === image.className)?.name.toLowerCase();
  if (kind === 'attributes') return `Gold: what describes the ${thing ?? 'object'}.`;
  if (kind === 'oracle') return 'Gold: the class of the object.';
  return `Gold: every pixel of “${asked?.name}”${kind === 'part-mask' && thing ? ` on the ${thing}` : ''}.`;
}
