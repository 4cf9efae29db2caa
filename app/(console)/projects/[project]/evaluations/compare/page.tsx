import type { Metadata } from 'next';
import { Button, ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Field, Select } from '@/app/_ui/forms';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink } from '@/app/_ui/table';
import { database } from '@/db';
import { formatCount, formatDateTime } from '@/lib/core/format';
import {
  compareEvaluations,
  DisagreementQuery,
  listDisagreements,
} from '@/lib/services/evaluations/compare-evaluations';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import { AgreementTable, DifferenceTable } from './comparison-tables';
import { DisagreementGallery } from './disagreement-gallery';
import { pageComparison } from './page-comparison';

const _metadata: Metadata = { title: 'Compare models' };

type Props = PageProps<'/projects/[project]/evaluations/compare'>;

export default async function Compare({ params, searchParams }: Props) {
  const asked = await searchParams;
  const { evaluations, first, second, why, home } = await pageComparison((await params).project, asked);
  const done = evaluations.filter(({ state }) => state === 'done');
  return (
    <Page>
      <PageHeader
        title="Compare models"
        description="Paired comparison on the same images and random seeds, which makes small differences detectable."
      />
      {done.length < 2 ? (
        <Panel title="Compare models" flush>
          <EmptyState
            title="Fewer than two evaluations"
            action={
              <ButtonLink variant="primary" href={`${home}/evaluations/new`}>
                Evaluate a model
              </ButtonLink>
            }
          >
            Evaluate two models on the same version with the same settings.
          </EmptyState>
        </Panel>
      ) : (
        <Panel title="Evaluations">
          <EvaluationChoice evaluations={evaluations} a={first?.id} b={second?.id ?? done[1]?.id} />
        </Panel>
      )}
      {why.length > 0 && (
        <Panel title="Not comparable">
          <ul className="list-disc pl-4 text-bad">
            {why.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <p className="mt-2 text-ink-2">
            Evaluate both models with the same version, suite, preset, split, images, seed and oracle.
          </p>
        </Panel>
      )}
      {first && second && why.length === 0 && (
        <Compared
          first={first}
          second={second}
          query={DisagreementQuery.safeParse(asked).data ?? DisagreementQuery.parse({})}
          home={home}
        />
      )}
    </Page>
  );
}

interface ComparedProps {
  first: EvaluationView;
  second: EvaluationView;
  query: DisagreementQuery;
  home: string;
}

async function Compared({ first, second, query, home }: ComparedProps) {
  const db = database();
  const [comparison, gallery] = await Promise.all([
    compareEvaluations(db, { a: first, b: second }),
    listDisagreements(db, { a: first.id, b: second.id, ...query }),
  ]);
  const { differences, agreement, common, used } = comparison;
  const path = `${home}/evaluations/compare`;
  const address = `a=${first.id}&b=${second.id}`;
  return (
    <>
      <Panel
        title="Differences"
        description={`${formatCount(common, 'common image')}${used < common ? `, ${used} sampled at random` : ''}. Second minus first, with the 95 % interval of a paired bootstrap.`}
        actions={<CsvLink href={`${path}/csv?${address}`} />}
        flush
      >
        <DifferenceTable differences={differences} first={first} second={second} home={home} />
      </Panel>
      <AgreementTable
        agreement={agreement}
        first={first.model}
        second={second.model}
        path={`${path}?${address}`}
      />
      <DisagreementGallery
        gallery={gallery}
        query={query}
        first={first}
        second={second}
        path={`${path}?${address}`}
        home={home}
      />
    </>
  );
}

interface EvaluationChoiceProps {
  evaluations: readonly EvaluationView[];
  a: string | undefined;
  b: string | undefined;
}

/** Form to choose two evaluations; a GET form without JavaScript. */
function EvaluationChoice({ evaluations, a, b }: EvaluationChoiceProps) {
  const options = evaluations
    .filter(({ state }) => state === 'done')
    .map(({ id, model, version, suite, at }) => ({
      value: id,
      label: `${model}, version ${version}, ${suite}, ${formatDateTime(at)}`,
    }));
  return (
    <form className="flex flex-wrap items-end gap-3" aria-label="Evaluations to compare">
      {(
        [
          ['a', 'First', a],
          ['b', 'Second', b],
        ] as const
      ).map(([name, label, chosen]) => (
        <div key={name} className="min-w-0 flex-1 basis-96">
          <Field label={label}>
            {(control) => <Select {...control} name={name} options={options} defaultValue={chosen} />}
          </Field>
        </div>
      ))}
      <Button type="submit">Compare</Button>
    </form>
  );
}
