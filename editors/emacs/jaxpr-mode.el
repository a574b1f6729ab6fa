;;; jaxpr-mode.el --- Jaxprs, the programs that JAX prints  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0

;; Package-Requires: ((emacs "26.1"))

;;; Commentary:

;; Colours, folds by indentation (`outline-minor-mode'), formatting and the language server:
;;
;;     (add-to-list 'load-path "…/editors/emacs")
;;     (require 'jaxpr-mode)
;;     (add-hook 'jaxpr-mode-hook #'eglot-ensure)      ; Emacs 29, or the package eglot

;;; Code:

(require 'jaxpr-words)

(defgroup jaxpr nil
  "Jaxprs, the programs that JAX prints."
  :group 'languages)

(defcustom jaxpr-program "jaxpr"
  "The name or path of the program `jaxpr'."
  :type 'string)

(defvar jaxpr-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "." table)
    (modify-syntax-entry ?' "." table)
    table)
  "Syntax table of brackets; `jaxpr-font-lock-keywords' match strings and comments.")

(defun jaxpr--outline-level ()
  "The level of the heading at point: its indentation plus one."
  (1+ (current-indentation)))

(defun jaxpr-format-buffer ()
  "Format the programs of the buffer as JAX prints them."
  (interactive)
  (let ((formatted (generate-new-buffer " *jaxpr fmt*")))
    (unwind-protect
        (if (eq 0 (call-process-region nil nil jaxpr-program nil (list formatted nil) nil "fmt" "--color=never" "-"))
            (replace-buffer-contents formatted)
          (user-error "The buffer has errors: see M-x compile"))
      (kill-buffer formatted))))

;;;###autoload
(define-derived-mode jaxpr-mode prog-mode "Jaxpr"
  "Major mode for Jaxprs."
  (setq-local font-lock-defaults '(jaxpr-font-lock-keywords t))
  (setq-local comment-start "# ")
  (setq-local outline-regexp "[ ]*\\(?:{ lambda\\|.*\\[$\\|.*{ lambda\\)")
  (setq-local outline-level #'jaxpr--outline-level)
  (setq-local indent-tabs-mode nil)
  (setq-local truncate-lines t)
  (when buffer-file-name
    (setq-local compile-command
                (concat jaxpr-program " check --format=gcc " (shell-quote-argument buffer-file-name)))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.jaxpr\\'" . jaxpr-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(jaxpr-mode . (,jaxpr-program "lsp"))))

(provide 'jaxpr-mode)
;;; jaxpr-mode.el ends here
