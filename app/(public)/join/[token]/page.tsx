import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { inLanguage, pageTexts } from '@/app/_i18n/project-texts';
import { getWorkerFormat } from '@/app/_i18n/request';
import { ButtonLink } from '@/app/_ui/button';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { textKeys } from '@/lib/core/translations';
import { currentActor } from '@/lib/services/access/page';
import { findInvitation, shownAddress } from '@/lib/services/accounts';
import { offerOf } from '@/lib/services/crowd/recruit';
import { OfferTable } from '../offer-table';
import { JoinAsMe } from './join-as-me';
import { JoinForm } from './join-form';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('join'))('title') };
}

const nothingIfGone = (error: unknown) => {
  if (error instanceof TesseraError && error.kind === 'not-found') return null;
  throw error;
};

async function Closed() {
  const t = await getTranslations();
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold tracking-tight">{t('join.closedTitle')}</h1>
        <p className="mt-1 text-ink-2">{t('join.closedText')}</p>
      </div>
      <div>
        <ButtonLink href="/sign-in" variant="primary">
          {t('signIn.submit')}
        </ButtonLink>
      </div>
    </>
  );
}

export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const invitation = await findInvitation(database(), token).catch(nothingIfGone);
  if (!invitation) return <Closed />;
  const actor = await currentActor();
  const { project, roles, makesAdmin } = invitation;
  const t = await getTranslations('join');
  const format = await getWorkerFormat();
  const texts = project && (await pageTexts(project.id));
  const name = project && texts?.text(textKeys.projectName, project.name);
  const description = project && texts?.show(textKeys.projectDescription, project.description);
  return (
    <>
      <div>
        <h1 className="text-xl font-semibold tracking-tight">
          {name ? t('joinProject', { project: name }) : t('joinSite')}
        </h1>
        <p className="mt-1 text-ink-2">
          {t('role', { role: makesAdmin ? 'admin' : roles.length === 1 ? (roles[0] ?? '') : 'several' })}{' '}
          {t('validUntil', { date: format.dateTime(invitation.expiresAt) })}
        </p>
        {description?.text && (
          <p {...inLanguage(description.language)} className="mt-3 text-base">
            {description.text}
          </p>
        )}
      </div>
      {project && texts && roles.includes('worker') && (
        <OfferTable offer={await offerOf(database(), project.id)} texts={texts} />
      )}
      {actor ? (
        <JoinAsMe token={token} name={actor.name} email={shownAddress(actor.email)} />
      ) : (
        <JoinForm
          token={token}
          email={invitation.email}
          mayBePseudonymous={invitation.email === null && roles.every((role) => role === 'worker')}
        />
      )}
    </>
  );
}
