import { getTranslations } from 'next-intl/server';
import type { OwnPayee, PayTerms } from '@/lib/services/crowd/pay';
import { recruiterOf } from '@/lib/services/crowd/recruit';
import { PayeeLine } from './payee-line';

interface Props {
  terms: readonly PayTerms[];
  payees: readonly OwnPayee[];
}

/** Who pays the worker in each project, how, when and where to. Details of a project that the worker left come last. */
export async function PayTermsList({ terms, payees }: Props) {
  const t = await getTranslations('money');
  const left = payees.filter((own) => !terms.some(({ project }) => project.id === own.project.id));
  return (
    <ul className="divide-y divide-line">
      {terms.map(({ project, recruiter, terms: text }) => {
        const own = payees.find((each) => each.project.id === project.id);
        const isExplained = text !== '' || (own?.isAsked && own.schedule !== 'as-described');
        return (
          <li key={project.id} className="flex flex-col gap-1 px-4 py-3">
            <h3 className="font-medium">{project.name}</h3>
            <p className="max-w-prose text-ink-2">
              {recruiter === 'pool'
                ? [t('pool'), isExplained ? '' : t('poolUnknown')].filter(Boolean).join(' ')
                : t('marketplace', { marketplace: recruiterOf(recruiter).title })}
            </p>
            {text !== '' && (
              <p dir="auto" className="max-w-prose whitespace-pre-line">
                {text}
              </p>
            )}
            {own && <PayeeLine own={own} />}
          </li>
        );
      })}
      {left.map((own) => (
        <li key={own.project.id} className="flex flex-col gap-1 px-4 py-3">
          <h3 className="font-medium">{own.project.name}</h3>
          <PayeeLine own={own} />
        </li>
      ))}
    </ul>
  );
}
