'use client';

import { Grid2x2, Keyboard, RectangleHorizontal } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { IconButton } from '@/app/_ui/icon-button';
import { toast } from '@/app/_ui/toasts';
import { rejectKeys, useKeyQueue } from '@/app/_ui/use-key-queue';
import { formatNumber } from '@/lib/core/format';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type AuditLabel, auditApi, type NewVerdict } from './audit-api';
import { GridView } from './grid-view';
import { LabelStore, useLabel } from './label-store';
import { LabelWork } from './label-work';
import { type Asked, ReasonDialog, VerdictButtons } from './reason-dialog';
import { isDecision, KeysSheet, StepButtons, useAuditKeys } from './use-audit-keys';
import { useLook } from './use-look';
import { type QueuePage, useQueue } from './use-queue';
import { useVerdicts } from './use-verdicts';

type Props = {
  slug: string;
  first: QueuePage;
  firstLabel: AuditLabel | undefined;
  total: number;
  /** Of classes, attributes and parts, by their ids. */
  names: Readonly<Record<string, string>>;
  /** The filter as an address. */
  query: string;
  /** Why nothing can be decided, if so. */
  closed?: string;
};

/** Labels that are loaded before one comes to them. */
const AHEAD = [1, 2, 3, -1];

const DECIDED = 'This label is already decided. Press U to take the last decision back.';
const NOT_LOADED = 'The label is not loaded, so nothing was decided.';
const NOT_FIXABLE = 'Labels of this stage cannot be corrected here. Accept or reject them.';

/** The queue, one label at a time or many in a grid. */
export function QueueViewer({ slug, first, firstLabel, total, names, query, closed }: Props) {
  const api = useMemo(() => auditApi(slug), [slug]);
  const [store] = useState(() => new LabelStore(api, firstLabel));
  const [version, setVersion] = useState(0);
  const queue = useQueue(api, first, query);
  const verdicts = useVerdicts(api, store);
  const { look, change, actions: lookActions } = useLook();
  const [isGrid, setGrid] = useState(false);
  const [isFixing, setFixing] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const { rows, index, goTo } = queue;
  const row = rows[index];
  const shown = useLabel(store, isGrid ? undefined : row?.labelId, version);
  const mark = row && verdicts.marks[row.labelId];
  const canFix = shown.label !== undefined && shown.label.stage.kind !== 'oracle';
  const isLoading = !isGrid && row !== undefined && !shown.label && !shown.problem;
  useKeyQueue(isLoading || isSaving, (name) => isSaving || isDecision(name, 'label'));

  useEffect(() => {
    if (isGrid) return;
    store.prefetch(AHEAD.flatMap((step) => rows[index + step]?.labelId ?? []));
  }, [store, rows, index, isGrid]);

  /** Runs `act` on the label that is shown, or says why nothing can be decided about it. */
  const onLabel = (act: (labelId: string) => void) => () => {
    const obstacle = closed ?? (mark ? DECIDED : shown.label ? undefined : NOT_LOADED);
    if (obstacle === undefined && row) act(row.labelId);
    else if (obstacle) toast.warning(obstacle);
  };
  const decide = (verdict: NewVerdict) =>
    onLabel((labelId) => {
      void verdicts.decide(labelId, verdict);
      goTo(index + 1);
    })();
  const startFix = onLabel(() => (canFix ? setFixing(true) : toast.warning(NOT_FIXABLE)));
  const fix = async (value: AnswerValue) => {
    if (!row) return false;
    setSaving(true);
    const isStored = await verdicts.decide(row.labelId, { verdict: 'corrected', value });
    if (isStored) goTo(index + 1);
    else rejectKeys();
    setSaving(false);
    return isStored;
  };
  const undo = async () => {
    // Keys that follow are meant for the label that comes back.
    setSaving(true);
    const labelId = await verdicts.undo();
    const place = rows.findIndex((each) => each.labelId === labelId);
    if (place >= 0) goTo(place);
    setVersion((now) => now + 1);
    setSaving(false);
  };
  useAuditKeys(
    'label',
    {
      ...lookActions,
      accept: () => decide({ verdict: 'accepted' }),
      reject: onLabel(() => setAsked('rejected')),
      'send-back': onLabel(() => setAsked('sent-back')),
      fix: startFix,
      undo: () => void undo(),
      next: () => goTo(index + 1),
      previous: () => goTo(index - 1),
      grid: () => setGrid(true),
      shortcuts: () => setSheetOpen(true),
    },
    !isGrid && !isFixing && !asked,
  );

  return (
    <section aria-label="Audit queue" className="flex min-h-0 flex-1 flex-col border-t border-line">
      <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line bg-surface px-3">
        <p role="status" className="min-w-0 flex-1 truncate tabular-nums">
          {isGrid ? 'Grid of' : `Label ${formatNumber(index + 1)} of`}{' '}
          {formatNumber(Math.max(total, rows.length))}
          <span className="ml-3 text-ink-3">
            {formatNumber(Object.values(verdicts.marks).filter((each) => each.state !== 'failed').length)}{' '}
            decided here
          </span>
        </p>
        {!isGrid && <StepButtons index={index} count={rows.length} onGo={goTo} />}
        <IconButton
          label={isGrid ? 'One label at a time' : 'Grid'}
          shortcut="G"
          onClick={() => setGrid(!isGrid)}
        >
          {isGrid ? <RectangleHorizontal aria-hidden /> : <Grid2x2 aria-hidden />}
        </IconButton>
        <IconButton label="Keys" shortcut="?" onClick={() => setSheetOpen(true)}>
          <Keyboard aria-hidden />
        </IconButton>
      </div>
      {isGrid ? (
        <GridView
          names={names}
          queue={queue}
          verdicts={verdicts}
          closed={closed}
          isOn={!isSheetOpen}
          onOpen={(place) => {
            goTo(place);
            setGrid(false);
          }}
          onLeave={() => setGrid(false)}
          onUndo={() => void undo()}
          onKeys={() => setSheetOpen(true)}
        />
      ) : (
        <LabelWork
          slug={slug}
          shown={shown}
          look={look}
          onLook={change}
          isFixing={isFixing}
          onFix={fix}
          onFixEnd={() => setFixing(false)}
          actions={
            <VerdictButtons
              mark={mark}
              closed={closed}
              mayFix={canFix}
              onAccept={() => decide({ verdict: 'accepted' })}
              onReject={onLabel(() => setAsked('rejected'))}
              onFix={startFix}
              onSendBack={onLabel(() => setAsked('sent-back'))}
            />
          }
        />
      )}
      <ReasonDialog
        asked={asked}
        count={1}
        onCancel={() => setAsked(undefined)}
        onReason={(reason) => {
          if (asked) decide({ verdict: asked, reason });
          setAsked(undefined);
        }}
      />
      <KeysSheet scope={isGrid ? 'grid' : 'label'} open={isSheetOpen} onOpenChange={setSheetOpen} />
    </section>
  );
}
