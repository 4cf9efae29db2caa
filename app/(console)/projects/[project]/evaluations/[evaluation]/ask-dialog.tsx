'use client';

import { type ReactNode, useEffect, useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import { toast } from '@/app/_ui/toasts';
import { formatCount, formatNumber } from '@/lib/core/format';
import { type PlanWords, planQuestions, sendToAnnotators, type Which } from './selection-actions';

interface Props {
  which: Which;
  words: string;
  stages: { value: string; label: string }[];
  trigger: ReactNode;
}

/** Says what asking anew costs before anybody is asked. */
export function AskDialog({ which, words, stages, trigger }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
      title={`Ask people anew about ${words}`}
      description="Their questions in a stage go to people who have not answered them. The labels stay until the new answers are in."
    >
      <Asking which={which} stages={stages} close={() => setOpen(false)} />
    </Dialog>
  );
}

function Asking({ which, stages, close }: Pick<Props, 'which' | 'stages'> & { close: () => void }) {
  const [stageId, setStage] = useState(stages[0]?.value ?? '');
  const [answers, setAnswers] = useState(1);
  const [plan, setPlan] = useState<PlanWords>();
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();
  // The dialog covers the gallery: what is selected stays as it was when it was opened.
  const [asked] = useState(which);
  useEffect(() => {
    let isLatest = true;
    setPlan(undefined);
    if (stageId !== '')
      planQuestions({ ...asked, stageId, answers }).then((found) => isLatest && setPlan(found));
    return () => {
      isLatest = false;
    };
  }, [asked, stageId, answers]);
  const send = () =>
    startTransition(async () => {
      const { error } = await sendToAnnotators({ ...asked, stageId, answers });
      setProblem(error);
      if (error) return;
      toast.success('Their questions come first from now on.');
      close();
    });
  if (stages.length === 0)
    return <p className="text-ink-2">No stage of the project is open. Open one, and people can be asked.</p>;
  const isEmpty = plan !== undefined && plan.questions + plan.waiting === 0;
  return (
    <>
      <div className="grid grid-cols-[1fr_8rem] gap-3">
        <Field label="Stage">
          {(control) => (
            <Select
              {...control}
              options={stages}
              value={stageId}
              onChange={(event) => setStage(event.target.value)}
            />
          )}
        </Field>
        <Field label="More answers each">
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={10}
              value={answers}
              onChange={(event) => setAnswers(Math.min(10, Math.max(1, Number(event.target.value) || 1)))}
            />
          )}
        </Field>
      </div>
      <p role="status" className="min-h-12 text-sm text-ink-2">
        {plan === undefined ? 'Counting …' : (plan.error ?? planText(plan))}
      </p>
      <FormError>{problem}</FormError>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button
          variant="primary"
          pending={isPending}
          disabled={plan === undefined || plan.error !== undefined || isEmpty}
          onClick={send}
        >
          Ask anew
        </Button>
      </DialogFooter>
    </>
  );
}

function planText({ images, questions, waiting, gold, cost, most }: PlanWords): string {
  if (questions + waiting === 0)
    return gold > 0
      ? `All ${formatCount(gold, 'question')} about these images in this stage are gold, by which people are measured. Choose another stage.`
      : 'This stage has asked nothing about these images. Choose another stage.';
  const parts = [
    `${formatCount(questions, 'question')} about ${formatCount(images, 'image')} for ${cost}${
      most ? `, at most ${most} where people disagree` : ''
    }.`,
  ];
  if (waiting > 0) parts.push(`${formatNumber(waiting)} are open anyway and come first.`);
  if (gold > 0) parts.push(`${formatNumber(gold)} are gold and are left alone.`);
  return parts.join(' ');
}
