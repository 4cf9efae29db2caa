import { asc, eq } from 'drizzle-orm';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { database, tables } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { guideOf, workerPictureUrl } from '@/lib/crowd/guide';
import { guideExamples } from '@/lib/crowd/guide-examples';
import { listWork } from '@/lib/crowd/work';
import { projectSchema } from '@/lib/ingest/project-schema';
import { StageInstructions } from './stage-instructions';

type Props = PageProps<'/annotate/[project]/guide'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project, 'work.read');
  return { title: `Guide to ${project.name}` };
}

export default async function Guide({ params }: Props) {
  const { project, actor } = await pageProject((await params).project, 'work.read');
  const db = database();
  const schema = await projectSchema(db, project.id);
  if (!schema) throw new Error('A project has a schema from its first moment.');
  const stages = await db
    .select({ id: tables.stages.id })
    .from(tables.stages)
    .where(eq(tables.stages.projectId, project.id))
    .orderBy(asc(tables.stages.position));
  const pictureUrl = workerPictureUrl(project.slug);
  const guides = await Promise.all(stages.map(({ id }) => guideOf(db, project.id, id, pictureUrl)));
  // Labels of a real project are nobody's choice of an example.
  const labelled = project.isDemo ? await guideExamples(db, project.id) : new Map();
  const offers = await listWork(db, actor);
  return (
    <>
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">Guide to {project.name}</h1>
        <p className="max-w-prose text-ink-2">{project.description || schema.description}</p>
        {guides.length > 1 && (
          <nav aria-label="Stages" className="flex flex-wrap gap-x-4 gap-y-1">
            {guides.map(({ stage }) => (
              <a key={stage.id} href={`#${stage.id}`} className="text-accent underline underline-offset-2">
                {stage.name}
              </a>
            ))}
          </nav>
        )}
      </header>
      {guides.map((guide) => (
        <StageInstructions
          key={guide.stage.id}
          guide={guide}
          schema={schema}
          labelled={labelled}
          examHref={
            offers.find(({ stage, exam }) => stage.id === guide.stage.id && exam && !exam.passed)
              ? `/annotate/${project.slug}/exam/${guide.stage.id}`
              : null
          }
        />
      ))}
      <ButtonLink href="/annotate" variant="primary" size="large" className="self-start">
        Back to my work
      </ButtonLink>
    </>
  );
}
