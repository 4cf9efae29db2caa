'use client';

import { Frame, Layers, PencilLine, Send } from 'lucide-react';
import { type ReactNode, useEffect, useState, useTransition } from 'react';
import type { FormState } from '@/app/_actions/form-state';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import { toast } from '@/app/_ui/toasts';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { GalleryFilters } from '@/lib/services/evaluations/gallery';
import {
  fixLabels,
  freezeSet,
  makeSlice,
  type Place,
  type PlanWords,
  planQuestions,
  sendToAnnotators,
  type Which,
} from './actions';

interface Props {
  form: string;
  place: Place;
  filters: GalleryFilters;
  total: number;
  rights: { fix: boolean; ask: boolean; slice: boolean; freeze: boolean };
  stages: { value: string; label: string }[];
}

/** Reads the checked boxes of the gallery. */
function pickedIn(form: string): string[] {
  const boxes = document.querySelectorAll<HTMLInputElement>(
    `input[type=checkbox][name=image][form="${form}"]`,
  );
  return [...boxes].filter((box) => box.checked).map((box) => box.value);
}

export function SelectionTools({ form, place, filters, total, rights, stages }: Props) {
  const [picked, setPicked] = useState<string[]>([]);
  const [isAll, setAll] = useState(false);
  const [isFixing, startFixing] = useTransition();
  useEffect(() => {
    const read = () => setPicked(pickedIn(form));
    read();
    document.addEventListener('change', read);
    return () => document.removeEventListener('change', read);
  }, [form]);

  const count = isAll ? total : picked.length;
  const which: Which = { ...place, selection: isAll ? { filter: filters } : { images: picked } };
  const words = formatCount(count, 'image');
  const isNone = count === 0;
  return (
    <form
      id={form}
      aria-label="Selected images"
      onSubmit={(event) => event.preventDefault()}
      className="flex flex-wrap items-center gap-2"
    >
      <span role="status" className="min-w-28 tabular-nums">
        {isNone ? <span className="text-ink-3">No image selected</span> : `${words} selected`}
      </span>
      <label className="flex items-center gap-1.5 text-xs text-ink-2">
        <input
          type="checkbox"
          checked={isAll}
          onChange={(event) => setAll(event.target.checked)}
          className="accent-accent"
        />
        all {formatNumber(total)} matching images
      </label>
      {rights.fix && (
        <Button
          size="small"
          icon={<PencilLine aria-hidden />}
          disabled={isNone}
          pending={isFixing}
          onClick={() =>
            startFixing(async () => {
              const state = await fixLabels(which);
              if (state?.error) toast.error(state.error);
            })
          }
        >
          Fix labels
        </Button>
      )}
      {rights.ask && (
        <AskDialog
          which={which}
          words={words}
          stages={stages}
          trigger={
            <Button size="small" icon={<Send aria-hidden />} disabled={isNone}>
              Send to annotators
            </Button>
          }
        />
      )}
      {rights.slice && (
        <NameDialog
          title={`Create slice of ${words}`}
          description="A slice is a saved set of images. You can filter images by it, later evaluations report it, and it can be frozen as a version."
          confirm="Create slice"
          act={(name) => makeSlice(which, name)}
          trigger={
            <Button size="small" icon={<Layers aria-hidden />} disabled={isNone}>
              Create slice
            </Button>
          }
        />
      )}
      {rights.freeze && (
        <NameDialog
          title={`Freeze ${words} as an evaluation set`}
          description="Creates a version of exactly these images with their current labels, all in the split test. It appears under Data when the job is done."
          confirm="Freeze"
          act={(name) => freezeSet(which, name)}
          trigger={
            <Button size="small" icon={<Frame aria-hidden />} disabled={isNone}>
              Freeze as evaluation set
            </Button>
          }
        />
      )}
    </form>
  );
}

interface AskDialogProps {
  which: Which;
  words: string;
  stages: { value: string; label: string }[];
  trigger: ReactNode;
}

/** Shows the cost before answers are requested. */
function AskDialog({ which, words, stages, trigger }: AskDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
      title={`Request more answers for ${words}`}
      description="The items are assigned to workers who have not answered them yet. The current labels stay until the new answers are in."
    >
      <Asking which={which} stages={stages} close={() => setOpen(false)} />
    </Dialog>
  );
}

function Asking({ which, stages, close }: Pick<AskDialogProps, 'which' | 'stages'> & { close: () => void }) {
  const [stageId, setStage] = useState(stages[0]?.value ?? '');
  const [answers, setAnswers] = useState(1);
  const [plan, setPlan] = useState<PlanWords>();
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();
  // The selection is fixed when the dialog opens.
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
      toast.success('The items are at the front of the queue.');
      close();
    });
  if (stages.length === 0)
    return <p className="text-ink-2">No stage of the project is open. Open a stage to request answers.</p>;
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
        <Field label="Answers per item">
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
          Request answers
        </Button>
      </DialogFooter>
    </>
  );
}

function planText({ images, questions, waiting, gold, cost, most }: PlanWords): string {
  if (questions + waiting === 0)
    return gold > 0
      ? `All ${formatCount(gold, 'item')} for these images in this stage are gold items. Choose another stage.`
      : 'This stage has no items for these images. Choose another stage.';
  const parts = [
    `${formatCount(questions, 'item')} for ${formatCount(images, 'image')}: ${cost}${
      most ? `, at most ${most} if workers disagree` : ''
    }.`,
  ];
  if (waiting > 0) parts.push(`${formatNumber(waiting)} are already open and move to the front.`);
  if (gold > 0) parts.push(`${formatNumber(gold)} are gold and stay unchanged.`);
  return parts.join(' ');
}

interface NameDialogProps {
  trigger: ReactNode;
  title: string;
  description: string;
  /** Text of the button that runs the action. */
  confirm: string;
  act: (name: string) => Promise<FormState | undefined>;
}

/** Asks for a name and runs the action. Errors are shown in the dialog. */
function NameDialog({ trigger, title, description, confirm, act }: NameDialogProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const send = () =>
    startTransition(async () => {
      const state = await act(name);
      setProblem(state?.error);
    });
  return (
    <Dialog
      trigger={trigger}
      title={title}
      description={description}
      onOpenChange={() => setProblem(undefined)}
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Field label="Name">
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={80}
              required
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FormError>{problem}</FormError>
        <DialogFooter>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" pending={isPending} disabled={name.trim() === ''}>
            {confirm}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
