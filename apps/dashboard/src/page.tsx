import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, type Entered } from './app.js';

/** Shows the page, once its texts are there. */
export function showPage(entered: Entered): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App {...entered} />
    </StrictMode>,
  );
}
