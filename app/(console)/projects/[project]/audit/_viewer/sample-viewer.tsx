'use client';

import { Keyboard } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Button, ButtonLink } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { IconButton } from '@/app/_ui/icon-button';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { toast } from '@/app/_ui/toasts';
import { rejectKeys, useKeyQueue } from '@/app/_ui/use-key-queue';
import { inTurn } from '@/lib/core/concurrency';
import { formatNumber, formatPercent } from '@/lib/core/format';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { closeSample } from '../actions';
import { rateText } from '../samples/rate-text';
import { type AuditLabel, type AuditState, auditApi } from './audit-api';
import { LabelStore, useLabel } from './label-store';
import { LabelWork } from './label-work';
import { ReasonDialog } from './reason-dialog';
import { SampleButtons } from './sample-buttons';
import { isDecision, KeysSheet, StepButtons, useAuditKeys } from './use-audit-keys';
import { useLook } from './use-look';
import { useStay, useVerdicts } from './use-verdicts';

export type Pick = { position: number; labelId: string; verdict: 'right' | 'wrong' | null };

type Props = {
  slug: string;
  audit: AuditState;
  picks: Pick[];
  startAt: number;
  firstLabel: AuditLabel | undefined;
  mayDecide: boolean;
};

const AHEAD = [1, 2, 3, -1];

/** A sample, label by label, in the order in which it was drawn: right or wrong, and nothing that hints at either. */
export function SampleViewer({ slug, audit: start, picks: given, startAt, firstLabel, mayDecide }: Props) {
  const api = useMemo(() => auditApi(slug), [slug]);
  const [store] = useState(() => new LabelStore(api, firstLabel));
  const [audit, setAudit] = useState(start);
  const [picks, setPicks] = useState(given);
  const [index, setIndex] = useState(startAt);
  const [isFixing, setFixing] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [last, setLast] = useState<number[]>([]);
  // What was said last is stored last, and its rate is the one that stays in view.
  const [send] = useState(inTurn);
  const [sending, setSending] = useState(0);
  const [isSaving, setSaving] = useState(false);
  useStay(sending > 0);
  const verdicts = useVerdicts(api, store);
  const { look, change, actions } = useLook();
  const pick = picks[index];
  const shown = useLabel(store, pick?.labelId, 0);
  const isOpen = audit.state === 'open' && mayDecide;
  const isChangeable = shown.label?.isCurrent === true && pick?.verdict === 'wrong' && mayDecide;
  const mark = pick && verdicts.marks[pick.labelId];
  const isLoading = pick !== undefined && !shown.label && !shown.problem;
  useKeyQueue(isLoading || isSaving, (name) => isSaving || isDecision(name, 'sample'));

  useEffect(() => {
    store.prefetch(AHEAD.flatMap((step) => picks[index + step]?.labelId ?? []));
  }, [store, picks, index]);

  const goTo = (place: number) => setIndex(Math.max(0, Math.min(picks.length - 1, place)));
  const judge = async (place: number, verdict: Pick['verdict']) => {
    const judged = picks[place];
    if (!judged || !isOpen) return;
    const before = judged.verdict;
    const put = (to: Pick['verdict']) =>
      setPicks((now) => now.map((each, i) => (i === place ? { ...each, verdict: to } : each)));
    put(verdict);
    setSending((now) => now + 1);
    try {
      setAudit(await send(() => api.judge(audit.id, judged.labelId, verdict)));
    } catch (error) {
      put(before);
      toast.error(error instanceof Error ? error.message : 'It could not be stored.');
    } finally {
      setSending((now) => now - 1);
    }
  };
  const say = (verdict: 'right' | 'wrong') => {
    if (!isOpen) return void toast.warning('This audit is closed: its rate stands.');
    if (!shown.label) return void toast.warning('The label is not loaded, so nothing was judged.');
    void judge(index, verdict);
    setLast((now) => [...now, index]);
    // A wrong one stays in view: it can be put right or rejected at once.
    if (verdict === 'right') goTo(index + 1);
  };
  const undo = () => {
    const place = last.at(-1);
    if (place === undefined) return void toast('There is nothing to take back on this page.');
    setLast(last.slice(0, -1));
    void judge(place, null);
    goTo(place);
  };
  const fix = async (value: AnswerValue) => {
    if (!pick) return false;
    setSaving(true);
    const isStored = await verdicts.decide(pick.labelId, { verdict: 'corrected', value });
    if (!isStored) rejectKeys();
    setSaving(false);
    return isStored;
  };
  const canChange = isChangeable && !mark;
  /** A sample is judged first: only what is wrong can be changed. */
  const onWrong = (act: () => void) => () =>
    canChange
      ? act()
      : void toast.warning('Only a label that was judged wrong and not changed yet can be changed.');
  useAuditKeys(
    'sample',
    {
      ...actions,
      right: () => say('right'),
      wrong: () => say('wrong'),
      fix: onWrong(() => shown.label?.stage.kind !== 'oracle' && setFixing(true)),
      reject: onWrong(() => setAsked(true)),
      undo,
      next: () => goTo(index + 1),
      previous: () => goTo(index - 1),
      shortcuts: () => setSheetOpen(true),
    },
    !isFixing && !isAsked,
  );
  const path = `/projects/${slug}/audit/samples`;
  return (
    <div className="flex h-full flex-col">
      <header className="flex shrink-0 flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2">
        <div className="min-w-0 flex-1">
          <h1 className="flex items-center gap-3 text-base font-semibold">
            Sample of {audit.stage ?? 'all stages'}
            <State state={audit.state} className="text-sm font-normal" />
          </h1>
          <p className="text-xs text-ink-3 tabular-nums">
            {formatNumber(audit.size)} of {formatNumber(audit.population)} labels, ±{' '}
            {formatPercent(audit.margin)} at {formatPercent(audit.confidence, 0)}, seed {audit.seed}
          </p>
        </div>
        <p role="status" className="text-right tabular-nums">
          <span className="block text-xs text-ink-3">
            Error rate, {formatPercent(audit.confidence, 0)} interval, n = {formatNumber(audit.judged)}
          </span>
          <span className="text-lg font-semibold">{rateText(audit.rate)}</span>
        </p>
        {audit.state === 'open' ? (
          <ConfirmDialog
            trigger={<Button disabled={!mayDecide || audit.judged === 0}>Close the audit</Button>}
            title="Close this audit?"
            confirm="Close"
            onConfirm={async () => {
              const { error } = await closeSample(slug, audit.id);
              if (!error) setAudit({ ...audit, state: 'closed' });
              return error;
            }}
          >
            {formatNumber(audit.judged)} of {formatNumber(audit.size)} labels are judged. The rate stands from
            then on: {rateText(audit.rate)}.
          </ConfirmDialog>
        ) : (
          <ButtonLink href={path}>All samples</ButtonLink>
        )}
      </header>
      <ProgressBar label="Judged" done={audit.judged} total={audit.size} />
      <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line bg-surface px-3">
        <p className="min-w-0 flex-1 tabular-nums">
          Label {formatNumber(index + 1)} of {formatNumber(picks.length)}
          <span className="ml-3 text-ink-3">{formatNumber(audit.judged)} judged</span>
        </p>
        <StepButtons index={index} count={picks.length} onGo={goTo} />
        <IconButton label="Keys" shortcut="?" onClick={() => setSheetOpen(true)}>
          <Keyboard aria-hidden />
        </IconButton>
      </div>
      <LabelWork
        slug={slug}
        shown={shown}
        look={look}
        onLook={change}
        isFixing={isFixing}
        isBlind
        onFix={fix}
        onFixEnd={() => setFixing(false)}
        actions={
          <SampleButtons
            verdict={pick?.verdict ?? null}
            isOpen={isOpen}
            mark={mark}
            isChangeable={isChangeable}
            onSay={say}
            onFix={() => setFixing(true)}
            onReject={() => setAsked(true)}
            onNext={() => goTo(index + 1)}
          />
        }
      />
      <ReasonDialog
        asked={isAsked ? 'rejected' : undefined}
        count={1}
        onCancel={() => setAsked(false)}
        onReason={(reason) => {
          if (pick) void verdicts.decide(pick.labelId, { verdict: 'rejected', reason });
          setAsked(false);
        }}
      />
      <KeysSheet scope="sample" open={isSheetOpen} onOpenChange={setSheetOpen} />
    </div>
  );
}
