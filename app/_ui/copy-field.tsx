'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';

interface CopyFieldProps {
  label: string;
  value: string;
  /** Adds a note that the value will not be shown again. */
  once?: boolean;
}

export function CopyField({ label, value, once }: CopyFieldProps) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied('yes');
    } catch {
      // Without https the browser has no clipboard; the text can still be selected by hand.
      setCopied('refused');
    }
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <span className="text-xs font-medium text-ink-2">{label}</span>
      <div className="flex gap-2">
        <output
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
          tabIndex={0}
          className="min-w-0 flex-1 overflow-x-auto rounded-md border border-line bg-sunken px-2 py-1 font-mono text-xs leading-5 whitespace-nowrap select-all"
        >
          {value}
        </output>
        <Button icon={copied === 'yes' ? <Check aria-hidden /> : <Copy aria-hidden />} onClick={copy}>
          {copied === 'yes' ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p role="status" className="text-xs text-ink-3">
        {copied === 'refused'
          ? 'The browser does not allow copying here: select the text and press Ctrl C.'
          : once && 'Copy it now: it is not stored and cannot be shown again.'}
      </p>
    </div>
  );
}
