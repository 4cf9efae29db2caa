import { DefinitionList } from '@/app/_ui/definition-list';
import type { Offer } from '@/lib/crowd/recruit';
import { formatCount, formatMoney } from '@/lib/format';

/** What is asked and what is paid, before a person decides. */
export function OfferTable({ offer }: { offer: Offer }) {
  const money = (micro: bigint) => formatMoney(micro, offer.currency);
  const drawn = (kind: string) => (kind === 'attributes' ? 'picture' : 'outline');
  return (
    <section aria-labelledby="offer" className="rounded-lg border border-line bg-surface p-4">
      <h2 id="offer" className="mb-2 font-semibold">
        What is asked, and what it pays
      </h2>
      <DefinitionList
        items={[
          ...offer.stages.map(({ name, kind, items, payMicro, exam }) => ({
            term: name,
            value: (
              <>
                {money(payMicro)} for {formatCount(items, drawn(kind))}
                {exam && (
                  <span className="block text-ink-2">
                    after an exam of {formatCount(exam.items, drawn(kind))}, which pays {money(exam.payMicro)}
                  </span>
                )}
              </>
            ),
          })),
          { term: 'Aim', value: `${money(offer.hourlyTargetMicro)} per hour` },
        ]}
      />
    </section>
  );
}
