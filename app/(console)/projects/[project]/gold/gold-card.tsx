import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import { State } from '@/app/_ui/state';
import { formatNumber } from '@/lib/core/format';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { type DatasetSchema, NONE } from '@/lib/core/schema';
import { targetOf } from '@/lib/services/crowd/work/target-of';
import type { ListedGold } from '@/lib/services/curation/gold';
import { Score } from '../crowd/score';
import { GoldActions } from './gold-actions';
import { poolNames } from './pool-names';
import { targetName } from './target-name';

interface GoldCardProps {
  gold: ListedGold;
  slug: string;
  schema: DatasetSchema | null;
  mayWrite: boolean;
  /** The policy requires a second person, and the current user wrote the item. */
  needsOther: boolean;
}

/** One gold item: the picture with its answer, and its results as a check. */
export function GoldCard({ gold, slug, schema, mayWrite, needsOther }: GoldCardProps) {
  const asked = gold.target ? targetName(schema, gold.target) : gold.stage;
  const drawn = schema && targetOf(schema, gold.stageKind, gold.className, gold.target);
  const query = new URLSearchParams({ stage: gold.stageId, image: gold.imageId, target: gold.target });
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded-lg border border-line bg-surface">
      <Link
        href={`/projects/${slug}/images/${gold.imageId}`}
        className="block bg-stage outline-offset-[-2px]"
      >
        <OutlinedPicture
          url={gold.url}
          alt={`${gold.image}: ${asked}`}
          width={gold.width}
          height={gold.height}
          outlines={
            gold.outline ? [{ id: gold.id, colour: drawn?.colour ?? '#d22', path: gold.outline }] : []
          }
          className="block aspect-[4/3] w-full"
        />
      </Link>
      <div className="flex flex-1 flex-col gap-1.5 p-3">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 truncate font-semibold">{asked}</h2>
          <Badge>{poolNames[gold.pool]}</Badge>
          <State state={gold.state} />
        </div>
        <p className="truncate text-xs text-ink-3">
          {gold.image}
          {gold.className && ` · ${gold.className}`}
          {gold.target && ` · ${gold.stage}`}
        </p>
        <p className="line-clamp-3 text-xs text-ink-2">{answerWords(gold.value, schema)}</p>
        <dl className="mt-auto grid grid-cols-3 gap-2 pt-1 text-xs tabular-nums">
          <Fact term="People" value={formatNumber(gold.exposures)} />
          <Fact
            term={`Passed, n = ${formatNumber(gold.passed?.n ?? 0)}`}
            value={<Score estimate={gold.passed} />}
            wide
          />
        </dl>
        <p className="flex items-center gap-2 text-xs text-ink-3">
          <span className="min-w-0 flex-1 truncate">
            {gold.author ? `by ${gold.author}` : 'from agreement or import'}
            {gold.confirmedBy && `, confirmed by ${gold.confirmedBy}`}
          </span>
          {gold.hasDrifted && <Badge tone="warn">recently passed more often</Badge>}
        </p>
        {mayWrite && (
          <GoldActions
            slug={slug}
            id={gold.id}
            state={gold.state}
            pool={gold.pool}
            needsOther={needsOther}
            editHref={`/projects/${slug}/gold/write?${query}`}
          />
        )}
      </div>
    </li>
  );
}

const Fact = ({ term, value, wide }: { term: string; value: React.ReactNode; wide?: boolean }) => (
  <div className={wide ? 'col-span-2' : undefined}>
    <dt className="text-2xs text-ink-3">{term}</dt>
    <dd className="text-sm">{value}</dd>
  </div>
);

/** The answer as text, unless it is a mask. */
function answerWords(value: AnswerValue, schema: DatasetSchema | null): string {
  if (value.kind === 'nothing') return 'Nothing to label.';
  if (value.kind === 'class') return value.className;
  if (value.kind !== 'attributes') return '';
  const names = Object.values(value.choices)
    .flat()
    .filter((id) => id !== NONE)
    .map((id) => schema?.attributes.find((attribute) => attribute.id === id)?.name ?? id);
  return names.join(', ') || 'None of the attributes.';
}
