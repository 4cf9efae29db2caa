'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/app/_ui/icon-button';
import { Menu, MenuItem } from '@/app/_ui/menu';
import { preferenceCookie, type Theme, themeCookie } from './preferences';

export const themeChoices = [
  { theme: 'system', label: 'As the system', Icon: Monitor },
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
] as const;

export function applyTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing from Firefox and plain http.
  document.cookie = preferenceCookie(themeCookie, theme);
}

interface ThemeSwitchProps {
  theme: Theme;
  label?: string;
  names?: Record<Theme, string>;
}

export function ThemeSwitch({ theme, label = 'Theme', names }: ThemeSwitchProps) {
  const [current, setCurrent] = useState(theme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setCurrent(next);
  };
  const Current = themeChoices.find((choice) => choice.theme === current)?.Icon ?? Monitor;
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={label}>
          <Current />
        </IconButton>
      }
    >
      {themeChoices.map(({ theme: each, label: name, Icon }) => (
        <MenuItem key={each} icon={<Icon />} checked={each === current} onSelect={() => choose(each)}>
          {names?.[each] ?? name}
        </MenuItem>
      ))}
    </Menu>
  );
}
