import Link from 'next/link';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatCount, formatNumber } from '@/lib/core/format';
import { type FreezePlan, type LeakSide, planFreeze } from '@/lib/services/datasets/freeze/plan';
import { FreezeRequest, type SplitSpec } from '@/lib/services/datasets/freeze/request';
import { storage } from '@/lib/services/storage';
import { SplitTable } from '../split-table';
import { FreezeForm } from './freeze-form';

interface Props {
  slug: string;
  projectId: string;
  filter: FreezeRequest['filter'];
  split: SplitSpec;
  nameOf: (className: string) => string;
  /** Query of the plan. */
  plan: string;
}

/** Previews the version: counts, warnings, leaking pairs, and the form. The table comes last because it can be long. */
export async function PlanPreview({ slug, projectId, filter, split, nameOf, plan: query }: Props) {
  const request = FreezeRequest.parse({ filter, split });
  const plan = await planFreeze(database(), storage(), { projectId, request }).catch((error) => {
    if (error instanceof TesseraError) return error;
    throw error;
  });
  if (plan instanceof TesseraError)
    return (
      <Panel title="Preview">
        <FormError>{plan.message}</FormError>
      </Panel>
    );
  return (
    <>
      <StatStrip>
        <Stat label="Images" value={formatNumber(plan.images)} />
        <Stat label="Without labels" value={formatNumber(plan.unlabelled)} />
        <Stat
          label="Classes"
          value={formatNumber(plan.classes.filter((row) => row.className !== null).length)}
        />
        <Stat label="Leaking pairs" value={formatNumber(plan.leaks.total)} />
      </StatStrip>
      {plan.warnings.length > 0 && <Warnings warnings={plan.warnings} />}
      {plan.leaks.total > 0 && <Leaks plan={plan} slug={slug} />}
      <Panel
        title="Freeze"
        description="Versions cannot be edited. Freezing unchanged data returns the existing version."
      >
        <FreezeForm
          slug={slug}
          request={{ filter, split }}
          images={plan.images}
          leaks={plan.leaks.total}
          plan={query}
        />
      </Panel>
      <Panel title="Images by class and split" flush>
        <SplitTable splits={plan.splits} rows={plan.classes} nameOf={nameOf} />
      </Panel>
    </>
  );
}

const SHOWN = 12;

function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <Panel title={formatCount(warnings.length, 'warning')}>
      <ul className="flex max-h-64 list-disc flex-col gap-1 overflow-y-auto pl-4">
        {warnings.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Panel>
  );
}

function Leaks({ plan: { leaks }, slug }: { plan: FreezePlan; slug: string }) {
  return (
    <Panel
      title={`${formatCount(leaks.total, 'leaking pair')}`}
      description="These related images would be in different splits, so test images would resemble training images."
    >
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(17rem,1fr))] gap-4">
        {leaks.pairs.slice(0, SHOWN).map(({ why, a, b }) => (
          <li key={`${a.imageId} ${b.imageId} ${why}`} className="flex flex-col gap-1">
            <span className="text-xs text-ink-2">{why}</span>
            <span className="grid grid-cols-2 gap-2">
              <Side side={a} slug={slug} />
              <Side side={b} slug={slug} />
            </span>
          </li>
        ))}
      </ul>
      {leaks.total > SHOWN && (
        <p className="mt-3 text-xs text-ink-3">and {formatNumber(leaks.total - SHOWN)} more.</p>
      )}
    </Panel>
  );
}

const Side = ({ side, slug }: { side: LeakSide; slug: string }) => (
  <Link href={`/projects/${slug}/images/${side.imageId}`} className="flex min-w-0 flex-col gap-1">
    <Thumbnail src={side.thumbnail ?? undefined} alt={side.name} width={128} height={128} />
    <span className="truncate text-xs">{side.name}</span>
    <span className="text-xs text-ink-3">{side.split}</span>
  </Link>
);
