import { render } from 'preact';
import { App } from './app.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/parts.css';
import './style/lists.css';
import './style/dialogs.css';
import './style/shell.css';
import './style/views.css';

const root = document.getElementById('console')!;
root.replaceChildren();
render(<App />, root);
