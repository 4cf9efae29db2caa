import { FileUp, PenLine } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { CsvLink, Pager, tableHref } from '@/app/_ui/table';
import { Tabs } from '@/app/_ui/tabs';
import { database } from '@/db';
import { isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { type GoldPage, goldTargets, listGold } from '@/lib/services/curation/gold';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { GoldCard } from './gold-card';
import { GoldFilters } from './gold-filters';
import { readGoldFilter } from './read-gold-filter';

export const metadata: Metadata = { title: 'Gold' };

type Props = PageProps<'/projects/[project]/gold'>;

const tabs = [
  ['', 'All'],
  ['candidate', 'Candidates'],
  ['active', 'In use'],
  ['retired', 'Retired'],
  ['excluded', 'Excluded'],
] as const;

export default async function Gold({ params, searchParams }: Props) {
  const { actor, project } = await pageProject((await params).project, 'gold.read');
  const query = await searchParams;
  const filter = readGoldFilter(query);
  const db = database();
  const stages = await crowdStages(db, project);
  const page = await listGold(db, { projectId: project.id, ...filter });
  const targets = await goldTargets(db, project.id);
  const schema = await readProjectSchema(db, project.id);
  const mayWrite = isOpenIn('gold.write', project.state);
  const path = `/projects/${project.slug}/gold`;
  const hrefOf = (state: string) => tableHref(path, query, { state: state || null, after: null });
  return (
    <Page>
      <PageHeader
        title="Gold"
        description="Items with a known answer. They are used in exams, in practice, and as hidden checks in ordinary batches."
        more={
          mayWrite && (
            <ButtonLink href={`${path}/import`} icon={<FileUp aria-hidden />}>
              Import
            </ButtonLink>
          )
        }
        action={
          mayWrite && (
            <ButtonLink href={`${path}/write`} variant="primary" icon={<PenLine aria-hidden />}>
              Write gold
            </ButtonLink>
          )
        }
      />
      <Tabs
        label="Gold by state"
        tabs={tabs.map(([state, label]) => ({
          label,
          href: hrefOf(state),
          count: state === '' ? total(page.counts) : page.counts[state],
        }))}
        current={hrefOf(filter.state ?? '')}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <GoldFilters path={path} filter={filter} stages={stages} targets={targets} schema={schema} />
        {page.gold.length > 0 && <CsvLink href={tableHref(`${path}/csv`, query, { after: null })} />}
      </div>
      {page.gold.length === 0 ? (
        <Panel>
          <NoGold path={path} isFiltered={total(page.counts) > 0} />
        </Panel>
      ) : (
        <>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(17rem,1fr))] gap-4">
            {page.gold.map((each) => (
              <GoldCard
                key={each.id}
                gold={each}
                slug={project.slug}
                schema={schema}
                mayWrite={mayWrite}
                needsOther={
                  each.authorId === actor.userId &&
                  (stages.find((stage) => stage.id === each.stageId)?.policy.gold.twoPeople ?? false)
                }
              />
            ))}
          </ul>
          <Pager path={path} query={query} shown={page.gold.length} next={page.next} />
        </>
      )}
    </Page>
  );
}

const total = (counts: GoldPage['counts']) => Object.values(counts).reduce((sum, n) => sum + n, 0);

function NoGold({ path, isFiltered }: { path: string; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No gold matches" action={<ButtonLink href={path}>Show all gold</ButtonLink>}>
        Select another state, stage or target.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No gold yet"
      action={
        <>
          <ButtonLink href={`${path}/write`} variant="primary">
            Write gold
          </ButtonLink>
          <ButtonLink href={`${path}/import`}>Import gold</ButtonLink>
        </>
      }
    >
      Exams and checks need gold. Answer some items yourself or import trusted answers. Items on which all
      workers agreed appear here as candidates for you to confirm.
    </EmptyState>
  );
}
