import { asc, eq } from 'drizzle-orm';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { FallbackNote, inLanguage, pageTexts } from '@/app/_i18n/project-texts';
import { ButtonLink } from '@/app/_ui/button';
import { SubmitButton } from '@/app/_ui/submit-button';
import { database, tables } from '@/db';
import { textKeys, translateSchema } from '@/lib/core/translations';
import { pageProject } from '@/lib/services/access/page';
import { readGuides } from '@/lib/services/accounts';
import { guideOf, workerPictureUrl } from '@/lib/services/crowd/guide';
import { guideExamples } from '@/lib/services/crowd/guide-examples';
import { translateGuide } from '@/lib/services/crowd/translations';
import { listWork } from '@/lib/services/crowd/work';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { pathOf } from '../../_path/path';
import { PathSteps } from '../../_path/path-steps';
import { finishGuide } from './finish-guide';
import { StageInstructions } from './stage-instructions';

type Props = PageProps<'/annotate/[project]/guide'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project, 'work.read');
  const name = (await pageTexts(project.id)).quiet(textKeys.projectName, project.name);
  return { title: (await getTranslations('guide'))('title', { project: name }) };
}

export default async function Guide({ params }: Props) {
  const { project, actor } = await pageProject((await params).project, 'work.read');
  const db = database();
  const original = await readProjectSchema(db, project.id);
  if (!original) throw new Error('A project has a schema from its first moment.');
  const texts = await pageTexts(project.id);
  const schema = translateSchema(original, texts);
  const stages = await db
    .select({ id: tables.stages.id })
    .from(tables.stages)
    .where(eq(tables.stages.projectId, project.id))
    .orderBy(asc(tables.stages.position));
  const pictureUrl = workerPictureUrl(project.slug);
  const guides = (await Promise.all(stages.map(({ id }) => guideOf(db, project.id, id, pictureUrl)))).map(
    (guide) => translateGuide(guide, original, texts),
  );
  const name = texts.quiet(textKeys.projectName, project.name);
  const intro = project.description
    ? texts.show(textKeys.projectDescription, project.description)
    : texts.show(textKeys.schemaDescription, original.description);
  // Nobody has approved labels of a real project as examples.
  const labelled = project.isDemo ? await guideExamples(db, project.id) : new Map();
  const offers = (await listWork(db, actor)).filter((offer) => offer.project.id === project.id);
  const hasReadGuide = (await readGuides(db, actor.userId)).has(project.id);
  const path = offers.map((offer) => pathOf(offer, hasReadGuide)).find((each) => each !== null);
  const t = await getTranslations();
  return (
    <>
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">{t('guide.title', { project: name })}</h1>
        {path && <PathSteps path={path} />}
        <p {...inLanguage(intro.language)} className="max-w-prose text-ink-2">
          {intro.text}
        </p>
        <FallbackNote coverage={texts.coverage} original={texts.original} />
        {guides.length > 1 && (
          <nav aria-label={t('guide.tasks')} className="flex flex-wrap gap-x-4 gap-y-1">
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
      <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-3 border-t border-line bg-canvas px-4 py-3">
        {!hasReadGuide && (
          <form action={finishGuide.bind(null, project.slug)}>
            <SubmitButton size="large">{t('guide.finish')}</SubmitButton>
          </form>
        )}
        <ButtonLink href="/annotate" variant={hasReadGuide ? 'primary' : 'quiet'} size="large">
          {t('shell.backToWork')}
        </ButtonLink>
      </div>
    </>
  );
}
