import { FormError } from '@/app/_ui/forms';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatCount } from '@/lib/core/format';
import type { Check, Options } from '@/lib/core/formats/format';
import { checkExport } from '@/lib/services/datasets/exports/open-export';
import { withinReach } from '@/lib/services/datasets/remembered';
import { storage } from '@/lib/services/storage';
import { PATIENCE_MS, StillReading } from '../../_reading/reading';
import { ExportButton } from './export-button';

interface Props {
  /** What is going on, in words, while it lasts. */
  reading: string;
  slug: string;
  projectId: string;
  number: number;
  format: { id: string; name: string };
  options: Options;
}

/** What stands in the way and what would be lost, before a byte is written; then the button. */
export async function ExportCheck({ reading, slug, projectId, number, format, options }: Props) {
  const wanted = { version: String(number), format: format.id, options: { ...options } };
  const checking = checkExport(database(), storage(), { projectId, ...wanted });
  const check = await withinReach(checking, PATIENCE_MS).catch((error) => {
    if (error instanceof TesseraError) return error;
    throw error;
  });
  if (check === null) return <StillReading text={reading} />;
  if (check instanceof TesseraError) return <FormError>{check.message}</FormError>;
  const isRefused = check.refusals.length > 0;
  return (
    <div className="flex flex-col gap-4">
      {isRefused ? <Refusals check={check} name={format.name} /> : <Losses losses={check.losses} />}
      <div>
        <ExportButton slug={slug} wanted={wanted} disabled={isRefused} />
      </div>
    </div>
  );
}

const Refusals = ({ check, name }: { check: Check; name: string }) => (
  <div role="alert" className="flex flex-col gap-3 rounded-md bg-bad-soft px-3 py-2">
    <p className="font-medium text-bad">{name} cannot hold this version:</p>
    {check.refusals.map(({ what, count, examples }) => (
      <div key={what}>
        <p>
          {what} <span className="text-ink-2">({formatCount(count, 'case')})</span>
        </p>
        <p className="text-xs wrap-anywhere text-ink-2">
          {[...new Set(examples)].join(', ')}
          {count > examples.length && ' …'}
        </p>
      </div>
    ))}
    <p className="text-xs text-ink-2">
      Choose other options, another format, or mend it in the project and freeze again.
    </p>
  </div>
);

function Losses({ losses }: { losses: readonly string[] }) {
  if (losses.length === 0) return <p>Nothing is lost: the format holds everything that the version has.</p>;
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium">What the format cannot hold</p>
      <ul className="flex list-disc flex-col gap-0.5 pl-4 text-ink-2">
        {losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
    </div>
  );
}
