import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { explainError } from '@/app/_i18n/explain-error';
import { inLanguage, pageTexts } from '@/app/_i18n/project-texts';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { textKeys } from '@/lib/core/translations';
import { currentActor } from '@/lib/services/access/page';
import { offerOf, type Query, recruiterOf, studyOf } from '@/lib/services/crowd/recruit';
import { OfferTable } from '../offer-table';
import { Begin } from './begin';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('join'))('title'), robots: { index: false } };
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** A value that is given twice is given by no marketplace. */
const onlyTexts = (given: Record<string, string | string[] | undefined>): Query =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => typeof value === 'string')) as Query;

/**
 * Arrival page for Prolific participants. Loading it stores nothing; the visit starts with the button.
 */
export default async function FromProlific({ searchParams }: Props) {
  const query = onlyTexts(await searchParams);
  const study = await studyOf(database(), recruiterOf('prolific'), query).catch(refusal);
  if ('error' in study) return <Refused message={study.error} />;
  const { projectId, isPreview } = study;
  const t = await getTranslations('prolific');
  const actor = await currentActor();
  const offer = await offerOf(database(), projectId);
  const texts = await pageTexts(projectId);
  const name = texts.show(textKeys.projectName, offer.name);
  const description = texts.show(textKeys.projectDescription, offer.description);
  return (
    <>
      <div>
        <h1 {...inLanguage(name.language)} className="text-xl font-semibold tracking-tight">
          {name.text}
        </h1>
        {description.text && (
          <p {...inLanguage(description.language)} className="mt-1 text-base">
            {description.text}
          </p>
        )}
      </div>
      <OfferTable offer={offer} texts={texts} marketplace={recruiterOf('prolific').title} />
      <p className="text-ink-2">{t('consentNext')}</p>
      {isPreview ? (
        <p className="rounded-md border border-line bg-sunken px-3 py-2">{t('preview')}</p>
      ) : (
        <Begin query={query} signedInAs={actor?.name ?? null} />
      )}
    </>
  );
}

const refusal = async (error: unknown) => {
  if (error instanceof TesseraError) return { error: await explainError(error) };
  throw error;
};

async function Refused({ message }: { message: string }) {
  const t = await getTranslations('prolific');
  return (
    <div>
      <h1 className="text-xl font-semibold tracking-tight">{t('brokenLink')}</h1>
      <p className="mt-1 text-ink-2">{message}</p>
    </div>
  );
}
