import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { ButtonLink } from '@/app/_ui/button';
import { maskPayee } from '@/lib/core/payee';
import type { OwnPayee } from '@/lib/services/crowd/pay';
import { DeletePayee } from './delete-payee';

/** The payment details of one project: whether they are stored, and the ways to enter, change and delete them. */
export async function PayeeLine({ own }: { own: OwnPayee }) {
  const t = await getTranslations('payee');
  const format = await getWorkerFormat();
  const { project, isAsked, schedule, state, details, updatedAt } = own;
  const page = `/annotate/${project.slug}/payee`;
  return (
    <div className="flex flex-col gap-2">
      {isAsked && schedule !== 'as-described' && <p>{t(`schedules.${schedule}`)}</p>}
      <p className="max-w-prose">
        {details
          ? t('stored', {
              method: t(`methods.${details.method}`),
              account: maskPayee(details),
              date: updatedAt ? format.dateTime(updatedAt) : '',
            })
          : state === 'unreadable'
            ? t('unreadable')
            : t('missing')}
      </p>
      {!isAsked && <p className="max-w-prose text-ink-2">{t('notAsked')}</p>}
      <div className="flex flex-wrap gap-2">
        {isAsked && (
          <ButtonLink href={page} variant={state === 'stored' ? 'secondary' : 'primary'}>
            {state === 'stored' ? t('change') : t('add')}
          </ButtonLink>
        )}
        {state !== 'missing' && <DeletePayee projectId={project.id} name={project.name} />}
      </div>
    </div>
  );
}
