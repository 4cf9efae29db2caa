import { Check, PencilLine, X } from 'lucide-react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { Kbd } from '@/app/_ui/kbd';
import { verdictWord } from './label-panel';
import type { Mark } from './use-verdicts';

type Props = {
  verdict: 'right' | 'wrong' | null;
  isOpen: boolean;
  /** What was done about a wrong label. */
  mark: Mark | undefined;
  isChangeable: boolean;
  onSay: (verdict: 'right' | 'wrong') => void;
  onFix: () => void;
  onReject: () => void;
  onNext: () => void;
};

const chosen = 'border-accent bg-accent-soft text-accent enabled:hover:bg-accent-soft';

/** Right or wrong; a wrong label can be dealt with on the spot, which does not change the sample. */
export function SampleButtons({
  verdict,
  isOpen,
  mark,
  isChangeable,
  onSay,
  onFix,
  onReject,
  onNext,
}: Props) {
  return (
    <div className="flex flex-col gap-2 border-b border-line p-3">
      <div className="grid grid-cols-2 gap-2">
        <Button
          icon={<Check aria-hidden />}
          aria-pressed={verdict === 'right'}
          disabled={!isOpen}
          className={cn(verdict === 'right' && chosen)}
          onClick={() => onSay('right')}
        >
          Right <Kbd keys="A" />
        </Button>
        <Button
          icon={<X aria-hidden />}
          aria-pressed={verdict === 'wrong'}
          disabled={!isOpen}
          className={cn(verdict === 'wrong' && chosen)}
          onClick={() => onSay('wrong')}
        >
          Wrong <Kbd keys="X" />
        </Button>
      </div>
      {!isOpen && <p className="text-xs text-ink-3">This audit is closed: its rate stands.</p>}
      {mark && <p className="text-ink-2">{verdictWord(mark.verdict)}.</p>}
      {isChangeable && !mark && (
        <div className="grid grid-cols-2 gap-2">
          <Button icon={<PencilLine aria-hidden />} onClick={onFix}>
            Fix <Kbd keys="F" />
          </Button>
          <Button onClick={onReject}>
            Reject <Kbd keys="R" />
          </Button>
        </div>
      )}
      {verdict === 'wrong' && (
        <Button variant="primary" onClick={onNext}>
          Next label <Kbd keys="J" className="opacity-80" />
        </Button>
      )}
    </div>
  );
}
