import type { Metadata } from 'next';
import Link from 'next/link';
import { Badge } from '@/app/_ui/badge';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { tableHref } from '@/app/_ui/table';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { type GuidePart, guideOf } from '@/lib/services/crowd/guide';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { CrowdPage } from '../crowd-page';
import { GuideEditor } from './guide-editor';

export const metadata: Metadata = { title: 'Guide' };

type Props = PageProps<'/projects/[project]/crowd/guide'>;

export default async function Guide({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const query = await searchParams;
  const db = database();
  const stages = await crowdStages(db, project);
  const stage = stages.find((each) => each.id === query.stage) ?? stages[0];
  const path = `/projects/${project.slug}/crowd/guide`;
  const frame = {
    slug: project.slug,
    at: '/guide' as const,
    title: 'Guide',
    description:
      'What workers read before and beside the work: about a stage, and about each attribute or part. What is saved is a new number; older ones stay on record.',
  };
  if (!stage) {
    return (
      <CrowdPage {...frame}>
        <Panel>
          <EmptyState title="There is nothing to explain">This project has no stages.</EmptyState>
        </Panel>
      </CrowdPage>
    );
  }
  const guide = await guideOf(db, project.id, stage.id);
  const parts = [{ target: '', name: 'The whole stage', ...guide.general }, ...guide.targets];
  const chosen = parts.find((part) => part.target === query.target) ?? parts[0];
  return (
    <CrowdPage {...frame}>
      <div className="grid items-start gap-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label="Parts of the guide" className="flex flex-col gap-3">
          {stages.map((each) => (
            <div key={each.id} className="flex flex-col">
              <Link
                href={`${path}?stage=${each.id}`}
                aria-current={each.id === stage.id ? 'true' : undefined}
                className="rounded-sm px-2 py-1 font-medium hover:bg-hover aria-[current]:text-accent"
              >
                {each.name}
              </Link>
              {each.id === stage.id &&
                parts.map((part) => (
                  <PartLink
                    key={part.target}
                    part={part}
                    isCurrent={part === chosen}
                    href={tableHref(path, {}, { stage: stage.id, target: part.target })}
                  />
                ))}
            </div>
          ))}
        </nav>
        {chosen && (
          <Panel
            title={`${stage.name}: ${chosen.name}`}
            description={
              chosen.number === null
                ? 'No guide yet. Workers see the descriptions of the schema.'
                : `Text ${chosen.number}`
            }
          >
            <GuideEditor
              key={`${stage.id} ${chosen.target} ${chosen.number}`}
              slug={project.slug}
              stageId={stage.id}
              target={chosen.target}
              saved={{ short: chosen.short, full: chosen.full, examples: chosen.examples }}
              pictures={guide.pictures}
              readOnly={project.state === 'archived'}
            />
          </Panel>
        )}
      </div>
    </CrowdPage>
  );
}

interface PartLinkProps {
  part: GuidePart & { name: string };
  isCurrent: boolean;
  href: string;
}

function PartLink({ part, isCurrent, href }: PartLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className="flex items-center gap-2 rounded-sm py-0.5 pr-2 pl-5 text-ink-2 hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent"
    >
      <span className="min-w-0 flex-1 truncate">{part.name}</span>
      {part.number !== null && <Badge>{part.number}</Badge>}
    </Link>
  );
}
